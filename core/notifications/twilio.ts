import type { SmsSettings } from './channel.ts';
import { type Outcome, plainMessage } from './outcome.ts';
import type { HttpPost } from './provider-http.ts';

/** A text message on its way to a provider. */
interface TextMessage {
  /** E.164. */
  readonly to: string;
  readonly body: string;
}

/** Sends one text message; every provider of texts has this face. */
interface TextProvider {
  send(message: TextMessage): Promise<Outcome>;
}

const CREATED = 201;
/** Twilio's codes for what is wrong with the account or its sender: no message can go. */
const CHANNEL_CODES = new Set([
  20003, // authentication
  20008, // test credentials
  20404, // no such account
  21212, // the sender is no number
  21603, // a sender is missing
  21606, // the sender cannot send texts
  21608, // a trial account reaches verified numbers alone
  21659, // the sender is not the account's
  21660, // the sender is another account's
  21701, // no such messaging service
  21703, // the messaging service has no sender
]);

interface TwilioAnswer {
  readonly sid?: unknown;
  readonly code?: unknown;
  readonly message?: unknown;
}

/** Twilio's Messages resource (POST /2010-04-01/Accounts/{sid}/Messages.json). */
export function twilio(settings: SmsSettings, authToken: string, post: HttpPost): TextProvider {
  const { accountSid, from, apiUrl } = settings;
  const login = Buffer.from(`${accountSid}:${authToken}`).toString('base64');
  const sender: Record<string, string> = /^MG[0-9a-f]{32}$/i.test(from) ? { MessagingServiceSid: from } : { From: from };
  return {
    async send({ to, body }) {
      const answer = await post({
        url: `${apiUrl}/2010-04-01/Accounts/${accountSid}/Messages.json`,
        headers: { authorization: `Basic ${login}`, accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ To: to, ...sender, Body: body }).toString(),
      });
      if ('failed' in answer) return { kind: 'fault', words: answer.failed, ofChannel: true };
      if ('refused' in answer) return { kind: 'channel', words: answer.refused };
      return outcomeOf(answer.status, answer.text, [authToken, login]);
    },
  };
}

function parsed(text: string): TwilioAnswer {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}

function outcomeOf(status: number, text: string, secrets: readonly string[]): Outcome {
  const { sid, code, message } = parsed(text);
  if (status === CREATED) return { kind: 'sent', providerId: typeof sid === 'string' ? plainMessage(sid, secrets) : null };
  const reason = typeof message === 'string' ? ` It said: ${plainMessage(message, secrets)}` : '';
  const number = typeof code === 'number' ? ` (${code})` : '';
  const said = `${reason}${number}`;
  if (status === 401 || status === 403) return { kind: 'channel', words: `The text provider did not take the sign-in.${said}` };
  if (typeof code === 'number' && CHANNEL_CODES.has(code))
    return { kind: 'channel', words: `The text provider sends nothing for this account.${said}` };
  if (status === 429) return { kind: 'fault', words: `The text provider put the message off.${said}`, ofChannel: false };
  if (status === 400) return { kind: 'refused', words: `The text provider refused the message.${said}` };
  if (status >= 300 && status < 500)
    return { kind: 'channel', words: `The address of the text provider answered ${status}, as no provider does.${said}` };
  return { kind: 'fault', words: `The text provider answered ${status}.${said}`, ofChannel: true };
}
