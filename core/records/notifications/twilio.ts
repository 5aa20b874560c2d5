import { type Outcome, plainMessage } from './outcome.ts';
import type { HttpPost } from './provider-http.ts';
import type { SmsSettings } from './records.ts';

/** A text message to be sent. */
interface TextMessage {
  /** E.164. */
  readonly to: string;
  readonly body: string;
  /** Words of the body that no stored response may contain. */
  readonly secretWords?: readonly string[];
}

/** Interface of a provider of text messages. */
interface TextProvider {
  send(message: TextMessage): Promise<Outcome>;
}

const CREATED = 201;
/** Twilio's error codes for a fault of the account or its sender, with which no message can be sent. */
const CHANNEL_CODES = new Set([
  20003, // authentication
  20008, // test credentials
  20404, // no such account
  21212, // the sender is not a number
  21603, // a sender is missing
  21606, // the sender cannot send texts
  21608, // a trial account can only send to verified numbers
  21659, // the sender does not belong to the account
  21660, // the sender belongs to another account
  21701, // no such messaging service
  21703, // the messaging service has no sender
]);

interface TwilioAnswer {
  readonly sid?: unknown;
  readonly code?: unknown;
  readonly message?: unknown;
}

/** Creates a provider that uses Twilio's Messages resource (POST /2010-04-01/Accounts/{sid}/Messages.json). */
export function twilio(settings: SmsSettings, authToken: string, post: HttpPost): TextProvider {
  const { accountSid, from, apiUrl } = settings;
  const login = Buffer.from(`${accountSid}:${authToken}`).toString('base64');
  const sender: Record<string, string> = /^MG[0-9a-f]{32}$/i.test(from) ? { MessagingServiceSid: from } : { From: from };
  return {
    async send({ to, body, secretWords = [] }) {
      const answer = await post({
        url: `${apiUrl}/2010-04-01/Accounts/${accountSid}/Messages.json`,
        headers: { authorization: `Basic ${login}`, accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ To: to, ...sender, Body: body }).toString(),
      });
      if ('failed' in answer) return { kind: 'fault', message: answer.failed, ofChannel: true };
      if ('refused' in answer) return { kind: 'channel', message: answer.refused };
      return outcomeOf(answer.status, answer.text, [...secretWords, authToken, login]);
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
  const reason = typeof message === 'string' ? ` Response: ${plainMessage(message, secrets)}` : '';
  const number = typeof code === 'number' ? ` (${code})` : '';
  const detail = `${reason}${number}`;
  if (status === 401 || status === 403) return { kind: 'channel', message: `The text message provider rejected the sign-in.${detail}` };
  if (typeof code === 'number' && CHANNEL_CODES.has(code))
    return { kind: 'channel', message: `The text message provider does not send messages for this account.${detail}` };
  if (status === 429) return { kind: 'fault', message: `The text message provider deferred the message.${detail}`, ofChannel: false };
  if (status === 400) return { kind: 'refused', message: `The text message provider rejected the message.${detail}` };
  if (status >= 300 && status < 500)
    return {
      kind: 'channel',
      message: `The address of the text message provider responded with ${status}, which is not a valid response of a provider.${detail}`,
    };
  return { kind: 'fault', message: `The text message provider responded with ${status}.${detail}`, ofChannel: true };
}
