import type { SendMailOptions } from 'nodemailer';
import { isEmailAddress, ServiceError } from '#core/kernel';
import { escapeHtml, type GeneratedFile, plain } from '#core/platform/documents';
import type { Language } from '#shared/languages';
import { toE164 } from './address.ts';
import { channelPurpose, emailSettingsOf, smsSettingsOf } from './channel.ts';
import type { Dependencies, MakeAttachment } from './dependencies.ts';
import { emailPage, type Letterhead, LOGO_CID, withoutUnsafeCharacters } from './email-page.ts';
import { SEALED_MESSAGE } from './message.ts';
import { type Outcome, secretWords } from './outcome.ts';
import { createProviderHttp } from './provider-http.ts';
import { addressOf, reachOf } from './reach.ts';
import type { EmailSettings } from './records.ts';
import type { MessageChannelRow, MessageKind, MessageRow } from './schema.ts';
import { sendMail } from './smtp.ts';
import { twilio } from './twilio.ts';

/** Returns why a message of a kind must not be sent any more; null if it may be sent. */
export type CheckMessage = (tenantId: string, resourceId: string, message: Pick<MessageRow, 'id' | 'recipient'>) => Promise<string | null>;

/** A line with an address at the end of an email. */
export interface Footer {
  readonly line: string;
  readonly url: string;
}

/** Creates the end of an email to a customer; null if it has none. */
export type MakeFooter = (
  message: { readonly tenantId: string; readonly merchantId: string; readonly customerId: string; readonly recipient: string },
  language: Language,
) => Promise<Footer | null>;

/** Sends a message once through its channel. Never throws for a failure of a server: failures are part of the outcome. */
export interface Sender {
  send(channel: MessageChannelRow, message: MessageRow): Promise<Outcome>;
  /** Registers the function that creates the documents of a kind, such as `invoice` for the attachment `invoice:inv_…`. */
  registerAttachments(kind: string, make: MakeAttachment): void;
  /** Registers the check of messages about a kind of record before each attempt. */
  registerCheck(kind: MessageKind, check: CheckMessage): void;
  /** Registers the function that creates the end of emails to a customer, while they are sent. */
  registerFooter(make: MakeFooter): void;
  /** Returns why a message must not be sent any more; null if it may be sent. */
  needless(message: MessageRow): Promise<string | null>;
  close(): Promise<void>;
}

const refused = (message: string): Outcome => ({ kind: 'refused', message });

export function createSender(deps: Dependencies): Sender {
  const http = createProviderHttp(deps.trust, deps.forbidden);
  const makers = new Map<string, MakeAttachment>();
  const checks = new Map<MessageKind, CheckMessage>();
  let makeFooter: MakeFooter = () => Promise.resolve(null);

  const secretOf = async ({ tenant_id, channel, secret }: MessageChannelRow) =>
    secret === null ? null : deps.secrets.open(tenant_id, channelPurpose(channel), secret);

  const textOf = async ({ tenant_id, sealed, body }: MessageRow) =>
    withoutUnsafeCharacters(sealed === null ? body : await deps.secrets.open(tenant_id, SEALED_MESSAGE, sealed));

  const secretsIn = ({ sealed }: MessageRow, body: string) => (sealed === null ? [] : secretWords(body));

  /** Returns the attachment of a message; an outcome if it cannot be created. */
  async function documentOf(message: MessageRow, language: Language): Promise<GeneratedFile | Outcome | null> {
    if (message.attachment === null) return null;
    const [kind = '', id = ''] = message.attachment.split(':');
    try {
      const attachment = await makers.get(kind)?.(message.tenant_id, id, language);
      return attachment ?? refused('The attached document no longer exists.');
    } catch (cause) {
      if (cause instanceof ServiceError && cause.status === 404) return refused('The attached document no longer exists.');
      deps.report('The attachment of a message could not be created', { messageId: message.id, attachment: message.attachment, cause });
      return { kind: 'fault', message: 'The attached document could not be created.', ofChannel: false };
    }
  }

  /** Returns the end of an email; null if it has none or it cannot be created, because the email itself matters more. */
  async function footerOf({ id, customer_id: customerId, ...row }: MessageRow, language: Language): Promise<Footer | null> {
    if (customerId === null) return null;
    const { tenant_id: tenantId, merchant_id: merchantId, recipient } = row;
    try {
      return await makeFooter({ tenantId, merchantId, customerId, recipient }, language);
    } catch (cause) {
      // A deleted customer has no page.
      if (!(cause instanceof ServiceError)) deps.report('The end of a message could not be created', { messageId: id, cause });
      return null;
    }
  }

  async function email(channel: MessageChannelRow, message: MessageRow): Promise<Outcome> {
    const settings = emailSettingsOf(channel);
    if (!isEmailAddress(message.recipient)) return refused('The recipient is not an email address.');
    const letterhead = await deps.letterheadOf(message.tenant_id, message.merchant_id || null);
    const language = message.language ?? letterhead?.language ?? 'en';
    const document = await documentOf(message, language);
    if (document !== null && 'kind' in document) return document;
    const found = await addressOf(deps, message.tenant_id, settings.host, settings.port);
    if ('refused' in found) return { kind: 'channel', message: found.refused };
    if ('unknown' in found) return { kind: 'fault', message: found.unknown, ofChannel: true };
    if (settings.security === 'none' && !found.isPrivate && !deps.isSandbox(message.tenant_id))
      return { kind: 'channel', message: 'Without TLS, messages are only sent to a mail server in a private network.' };
    const footer = await footerOf(message, language);
    const text = withFooter(await textOf(message), footer);
    const mail = mailOf(settings, { ...message, language, html: htmlWithFooter(message.html, footer) }, text, letterhead, document);
    const server = { settings, password: await secretOf(channel), address: found.address, trust: deps.trust };
    return sendMail({ ...server, secretWords: secretsIn(message, text) }, mail);
  }

  async function text(channel: MessageChannelRow, message: MessageRow): Promise<Outcome> {
    const letterhead = await deps.letterheadOf(message.tenant_id, message.merchant_id || null);
    const to = toE164(message.recipient, letterhead?.country);
    if (to === null) return refused('The recipient is not a phone number.');
    const token = await secretOf(channel);
    const body = await textOf(message);
    const settings = smsSettingsOf(channel);
    const { hostname, port } = new URL(settings.apiUrl);
    const reach = reachOf(deps, message.tenant_id, hostname, Number(port || 443));
    return twilio(settings, token ?? '', http.post(reach)).send({ to, body, secretWords: secretsIn(message, body) });
  }

  return {
    send: (channel, message) => (channel.channel === 'email' ? email(channel, message) : text(channel, message)),
    registerAttachments: (kind, make) => void makers.set(kind, make),
    registerCheck: (kind, check) => void checks.set(kind, check),
    registerFooter(make) {
      makeFooter = make;
    },
    needless: async (message) =>
      message.resource_id === null ? null : ((await checks.get(message.kind)?.(message.tenant_id, message.resource_id, message)) ?? null),
    close: http.close,
  };
}

/** Returns the text of an email with its end. */
export const withFooter = (text: string, footer: Footer | null): string =>
  footer === null ? text : `${text}\n\n${footer.line}\n${footer.url}`;

/** Returns the HTML of an email with its end. An email without HTML has it in its text. */
function htmlWithFooter(html: string | null, footer: Footer | null): string | null {
  if (html === null || footer === null) return html;
  const url = escapeHtml(footer.url);
  return `${html}<p style="margin:24px 0 0;font-size:13px">${escapeHtml(footer.line)}<br><a href="${url}">${url}</a></p>`;
}

/**
 * Returns the message for the mail server. Text that people entered becomes one line without characters that could start another header.
 */
function mailOf(
  settings: EmailSettings,
  message: MessageRow & { readonly language: Language },
  text: string,
  letterhead: Letterhead | null,
  document: GeneratedFile | null,
): SendMailOptions {
  const subject = plain(message.subject ?? '');
  const brand = letterhead?.brand;
  // Replies go to the merchant. A message to a user of the tenant has no merchant, so it does not use the address of the first one.
  const merchantEmail = message.merchant_id === '' ? null : (letterhead?.email ?? null);
  const replyTo = settings.replyTo ?? (merchantEmail !== null && isEmailAddress(merchantEmail) ? merchantEmail : null);
  const logo = brand?.logo;
  return {
    messageId: messageIdOf(message, settings.fromAddress),
    from: { name: plain(settings.fromName ?? brand?.companyName ?? ''), address: settings.fromAddress },
    to: { name: '', address: message.recipient },
    ...(replyTo === null ? {} : { replyTo: { name: '', address: replyTo } }),
    subject,
    text,
    html: emailPage({ letterhead, language: message.language, subject, text, html: message.html }),
    headers: { 'Auto-Submitted': 'auto-generated', 'Content-Language': message.language },
    attachments: [
      ...(logo
        ? [{ cid: LOGO_CID, filename: `logo.${logo.type.slice('image/'.length)}`, contentType: logo.type, content: logo.bytes }]
        : []),
      ...(document ? [{ filename: plain(document.filename), contentType: document.contentType, content: document.content }] : []),
    ],
  };
}

/**
 * Returns the Message-ID: the same for every attempt, so that mail systems can drop duplicates, and another one after a person has resent
 * the message.
 */
function messageIdOf({ id, sent_at }: MessageRow, fromAddress: string): string {
  const again = sent_at === null ? '' : `.${Date.parse(sent_at)}`;
  return `<${id}${again}@${fromAddress.slice(fromAddress.lastIndexOf('@') + 1)}>`;
}
