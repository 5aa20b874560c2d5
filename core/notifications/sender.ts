import type { SendMailOptions } from 'nodemailer';
import { isEmailAddress, ServiceError } from '#core/kernel';
import { plain } from '#core/platform/documents';
import { toE164 } from './address.ts';
import { channelPurpose, type EmailSettings, emailSettingsOf, smsSettingsOf } from './channel.ts';
import type { Attachment, Dependencies, MakeAttachment } from './dependencies.ts';
import { emailPage, harmless, type Letterhead, LOGO_CID } from './email-page.ts';
import { SEALED_MESSAGE } from './message.ts';
import type { Outcome } from './outcome.ts';
import { createProviderHttp } from './provider-http.ts';
import { addressOf, reachOf } from './reach.ts';
import type { MessageChannelRow, MessageRow } from './schema.ts';
import { sendMail } from './smtp.ts';
import { twilio } from './twilio.ts';

/** Sends a message by its channel, once. Never throws for what a server does. */
export interface Sender {
  send(channel: MessageChannelRow, message: MessageRow): Promise<Outcome>;
  /** Registers the maker of the documents whose name begins with `kind:`, such as `invoice:inv_…`. */
  registerAttachments(kind: string, make: MakeAttachment): void;
  close(): Promise<void>;
}

const refused = (words: string): Outcome => ({ kind: 'refused', words });

export function createSender(deps: Dependencies): Sender {
  const http = createProviderHttp(deps.ca, deps.forbidden);
  const makers = new Map<string, MakeAttachment>();

  async function attachmentOf(tenantId: string, name: string): Promise<Attachment | null> {
    const [kind = '', id = ''] = name.split(':');
    return (await makers.get(kind)?.(tenantId, id)) ?? null;
  }

  const secretOf = async ({ tenant_id, channel, secret }: MessageChannelRow) =>
    secret === null ? null : deps.secrets.open(tenant_id, channelPurpose(channel), secret);

  const textOf = async ({ tenant_id, sealed, body }: MessageRow) =>
    harmless(sealed === null ? body : await deps.secrets.open(tenant_id, SEALED_MESSAGE, sealed));

  /** The document that goes with a message; an outcome where it cannot go. */
  async function documentOf(message: MessageRow): Promise<Attachment | Outcome | null> {
    if (message.attachment === null) return null;
    try {
      const made = await attachmentOf(message.tenant_id, message.attachment);
      return made ?? refused('The document that goes with it is not there any more.');
    } catch (cause) {
      if (cause instanceof ServiceError && cause.status === 404) return refused('The document that goes with it is not there any more.');
      deps.report('A document for a message could not be made', { messageId: message.id, attachment: message.attachment, cause });
      return { kind: 'fault', words: 'The document that goes with it could not be made.', ofChannel: false };
    }
  }

  async function email(channel: MessageChannelRow, message: MessageRow): Promise<Outcome> {
    const settings = emailSettingsOf(channel);
    if (!isEmailAddress(message.recipient)) return refused('The recipient is not an e-mail address.');
    const letterhead = await deps.letterheadOf(message.tenant_id, message.merchant_id || null);
    const document = await documentOf(message);
    if (document !== null && 'kind' in document) return document;
    const found = await addressOf(deps, message.tenant_id, settings.host, settings.port);
    if ('refused' in found) return { kind: 'channel', words: found.refused };
    if ('unknown' in found) return { kind: 'fault', words: found.unknown, ofChannel: true };
    if (settings.security === 'none' && !found.isPrivate && !deps.isSandbox(message.tenant_id))
      return { kind: 'channel', words: 'Without TLS nothing is sent to a mail server outside of the own networks.' };
    const mail = mailOf(settings, message, await textOf(message), letterhead, document);
    return sendMail({ settings, password: await secretOf(channel), address: found.address, ca: deps.ca }, mail);
  }

  async function text(channel: MessageChannelRow, message: MessageRow): Promise<Outcome> {
    const letterhead = await deps.letterheadOf(message.tenant_id, message.merchant_id || null);
    const to = toE164(message.recipient, letterhead?.country);
    if (to === null) return refused('The recipient is not a phone number.');
    const token = await secretOf(channel);
    const settings = smsSettingsOf(channel);
    const { hostname, port } = new URL(settings.apiUrl);
    const reach = reachOf(deps, message.tenant_id, hostname, Number(port || 443));
    return twilio(settings, token ?? '', http.post(reach)).send({ to, body: await textOf(message) });
  }

  return {
    send: (channel, message) => (channel.channel === 'email' ? email(channel, message) : text(channel, message)),
    registerAttachments: (kind, make) => void makers.set(kind, make),
    close: http.close,
  };
}

/** Returns the message for the mail server. Typed text is reduced to one line without characters that could start another header. */
function mailOf(
  settings: EmailSettings,
  message: MessageRow,
  text: string,
  letterhead: Letterhead | null,
  document: Attachment | null,
): SendMailOptions {
  const subject = plain(message.subject ?? '');
  const brand = letterhead?.brand;
  // Address of the sender: of the merchant; for a user of the tenant not that of its first merchant.
  const own = message.merchant_id === '' ? null : (letterhead?.email ?? null);
  const replyTo = settings.replyTo ?? (own !== null && isEmailAddress(own) ? own : null);
  const logo = brand?.logo;
  return {
    messageId: messageIdOf(message, settings.fromAddress),
    from: { name: plain(settings.fromName ?? brand?.companyName ?? ''), address: settings.fromAddress },
    to: { name: '', address: message.recipient },
    ...(replyTo === null ? {} : { replyTo: { name: '', address: replyTo } }),
    subject,
    text,
    html: emailPage({ letterhead, subject, text, html: message.html }),
    headers: { 'Auto-Submitted': 'auto-generated', 'Content-Language': letterhead?.language ?? 'en' },
    attachments: [
      ...(logo
        ? [{ cid: LOGO_CID, filename: `logo.${logo.type.slice('image/'.length)}`, contentType: logo.type, content: logo.bytes }]
        : []),
      ...(document ? [{ filename: plain(document.filename), contentType: document.contentType, content: document.content }] : []),
    ],
  };
}

/** The same for every try, so that a receiver can drop what came twice; another one where a person sends it again. */
function messageIdOf({ id, sent_at }: MessageRow, fromAddress: string): string {
  const again = sent_at === null ? '' : `.${Date.parse(sent_at)}`;
  return `<${id}${again}@${fromAddress.slice(fromAddress.lastIndexOf('@') + 1)}>`;
}
