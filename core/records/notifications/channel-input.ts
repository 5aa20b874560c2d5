import { isIP } from 'node:net';
import { isEmailAddress, ServiceError } from '#core/kernel';
import { toE164 } from './address.ts';
import type { Dependencies } from './dependencies.ts';
import { addressOf, isPrivateHost } from './reach.ts';
import type { EmailSettings, SmsSettings } from './records.ts';

/** Change of the email settings. Missing fields stay unchanged. */
export type EmailChannelInput = Partial<EmailSettings> & { readonly password?: string | null };
export type SmsChannelInput = Partial<Omit<SmsSettings, 'apiUrl'>> & { readonly apiUrl?: string | null; readonly authToken?: string };

/** A new secret, none (`text` null), or the stored one. */
type SecretChange = { readonly text: string | null } | 'unchanged';

const TWILIO = 'https://api.twilio.com';
const HOST = /^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?)*\.?$/i;
const ACCOUNT = /^AC[0-9a-f]{32}$/i;
const SERVICE = /^MG[0-9a-f]{32}$/i;
const SENDER_NAME = /^(?=.*[A-Za-z])[A-Za-z0-9 ]{1,11}$/;
const SHORT_CODE = /^\d{5,6}$/;

const invalid = (field: string, message: string) => new ServiceError('VALIDATION_ERROR', message, { field });

function required<Value>(value: Value | undefined, field: string): Value {
  if (value === undefined) throw new ServiceError('REQUIRED_FIELD_MISSING', `\`${field}\` is required.`, { field });
  return value;
}

/** Returns the trimmed text, or null if it is empty. Rejects line breaks, because the text becomes part of a header or a sign-in. */
function oneLine(value: string | null, field: string): string | null {
  const text = value?.trim() ?? '';
  if (/[\p{Cc}\u2028\u2029]/u.test(text)) throw invalid(field, `\`${field}\` must be one line of text.`);
  return text === '' ? null : text;
}

function address(value: string | null, field: string): string | null {
  const text = oneLine(value, field);
  if (text !== null && !isEmailAddress(text)) throw new ServiceError('INVALID_EMAIL', `\`${field}\` must be an email address.`, { field });
  return text;
}

/** Returns the email settings with a change applied. A password is never used for another server: changing the server requires it again. */
export async function checkEmail(
  deps: Dependencies,
  tenantId: string,
  before: { readonly settings: EmailSettings; readonly hasSecret: boolean } | null,
  input: EmailChannelInput,
): Promise<{ settings: EmailSettings; secret: SecretChange }> {
  const old = before?.settings;
  const host = required(input.host ?? old?.host, 'host')
    .trim()
    .replace(/^\[|\]$/g, '')
    .toLowerCase();
  if (isIP(host) === 0 && !HOST.test(host)) throw invalid('host', '`host` must be the name of a mail server, such as smtp.example.com.');
  const port = required(input.port ?? old?.port, 'port');
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw invalid('port', '`port` must be a whole number from 1 to 65535.');
  const security = required(input.security ?? old?.security, 'security');
  if (!deps.isSandbox(tenantId)) {
    const found = await addressOf(deps, tenantId, host, port);
    if ('refused' in found) throw invalid('host', found.refused);
  }
  if (security === 'none' && !deps.isSandbox(tenantId) && !(await isPrivateHost(host)))
    throw invalid(
      'security',
      'Without TLS, only a mail server on this computer or in a private network can be used. Choose `starttls` or `tls`.',
    );
  const user = oneLine(input.user === undefined ? (old?.user ?? null) : input.user, 'user');
  const fromAddress = address(required(input.fromAddress ?? old?.fromAddress, 'fromAddress'), 'fromAddress');
  const settings: EmailSettings = {
    host,
    port,
    security,
    user,
    fromName: oneLine(input.fromName === undefined ? (old?.fromName ?? null) : input.fromName, 'fromName'),
    fromAddress: required(fromAddress ?? undefined, 'fromAddress'),
    replyTo: address(input.replyTo === undefined ? (old?.replyTo ?? null) : input.replyTo, 'replyTo'),
  };
  if (user === null) return { settings, secret: { text: null } };
  if (typeof input.password === 'string' && input.password !== '') return { settings, secret: { text: input.password } };
  const needsPassword =
    old !== undefined && (old.host !== host || old.port !== port || old.user !== user || (old.security !== 'none' && security === 'none'));
  if (input.password !== undefined || !before?.hasSecret)
    throw new ServiceError('REQUIRED_FIELD_MISSING', '`password` is required, because `user` is set.', { field: 'password' });
  if (needsPassword)
    throw new ServiceError('REQUIRED_FIELD_MISSING', 'Enter the password again, because the server or the user name has changed.', {
      field: 'password',
    });
  return { settings, secret: 'unchanged' };
}

/**
 * Returns the text message settings with a change applied. The token is only sent to the address for which it was entered: another address
 * requires it again.
 */
export function checkSms(
  deps: Dependencies,
  tenantId: string,
  before: SmsSettings | null,
  input: SmsChannelInput,
): { settings: SmsSettings; secret: SecretChange } {
  const accountSid = required(input.accountSid ?? before?.accountSid, 'accountSid').trim();
  if (!ACCOUNT.test(accountSid)) throw invalid('accountSid', '`accountSid` must be AC and 32 hexadecimal digits.');
  const from = required(input.from ?? before?.from, 'from').trim();
  const isNumber = from.startsWith('+') && toE164(from) === from;
  if (!isNumber && !SERVICE.test(from) && !SHORT_CODE.test(from) && !SENDER_NAME.test(from))
    throw invalid('from', '`from` must be a number such as +12075550142, a short code, a sender name, or a messaging service (MG…).');
  const apiUrl = apiUrlOf(input.apiUrl === undefined ? (before?.apiUrl ?? TWILIO) : (input.apiUrl ?? TWILIO), deps.isSandbox(tenantId));
  const settings: SmsSettings = { provider: 'twilio', accountSid, from, apiUrl };
  if (input.authToken !== undefined && input.authToken !== '') return { settings, secret: { text: input.authToken } };
  if (!before) throw new ServiceError('REQUIRED_FIELD_MISSING', '`authToken` is required.', { field: 'authToken' });
  if (before.apiUrl !== apiUrl || before.accountSid !== accountSid)
    throw new ServiceError('REQUIRED_FIELD_MISSING', 'Enter the token again, because the account or the address has changed.', {
      field: 'authToken',
    });
  return { settings, secret: 'unchanged' };
}

function apiUrlOf(text: string, isSandbox: boolean): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isBare = url !== null && url.username === '' && url.password === '' && url.search === '' && url.hash === '';
  if (!isBare || !(url.protocol === 'https:' || (isSandbox && url.protocol === 'http:')))
    throw invalid('apiUrl', `\`apiUrl\` must be an HTTPS address such as ${TWILIO}.`);
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
}
