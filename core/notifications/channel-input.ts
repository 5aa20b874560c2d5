import { isIP } from 'node:net';
import { isEmailAddress, ServiceError } from '#core/kernel';
import { toE164 } from './address.ts';
import type { EmailSettings, SmsSettings } from './channel.ts';
import type { Dependencies } from './dependencies.ts';
import { addressOf, isPrivateHost } from './reach.ts';

/** Fields that are left out stay as they are. */
export type EmailChannelInput = Partial<EmailSettings> & { readonly password?: string | null };
export type SmsChannelInput = Partial<Omit<SmsSettings, 'apiUrl'>> & { readonly apiUrl?: string | null; readonly authToken?: string };

/** A new secret, none from now on, or the one that is kept already. */
type SecretChange = { readonly text: string | null } | 'kept';

const TWILIO = 'https://api.twilio.com';
const HOST = /^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?)*\.?$/i;
const ACCOUNT = /^AC[0-9a-f]{32}$/i;
const SERVICE = /^MG[0-9a-f]{32}$/i;
const SENDER_NAME = /^(?=.*[A-Za-z])[A-Za-z0-9 ]{1,11}$/;
const SHORT_CODE = /^\d{5,6}$/;

const invalid = (field: string, words: string) => new ServiceError('VALIDATION_ERROR', words, { field });

function given<Value>(value: Value | undefined, field: string): Value {
  if (value === undefined) throw new ServiceError('REQUIRED_FIELD_MISSING', `${field} is required.`, { field });
  return value;
}

/** A line that goes into a header or a sign-in: nothing that could end it. */
function oneLine(value: string | null, field: string): string | null {
  const text = value?.trim() ?? '';
  if (/[\p{Cc}\u2028\u2029]/u.test(text)) throw invalid(field, `${field} must be one line of text.`);
  return text === '' ? null : text;
}

function address(value: string | null, field: string): string | null {
  const text = oneLine(value, field);
  if (text !== null && !isEmailAddress(text)) throw new ServiceError('INVALID_EMAIL', `${field} must be an e-mail address.`, { field });
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
  const host = given(input.host ?? old?.host, 'host')
    .trim()
    .replace(/^\[|\]$/g, '')
    .toLowerCase();
  if (isIP(host) === 0 && !HOST.test(host)) throw invalid('host', 'host must be the name of a mail server, such as smtp.example.com.');
  const port = given(input.port ?? old?.port, 'port');
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw invalid('port', 'port must be a whole number from 1 to 65535.');
  const security = given(input.security ?? old?.security, 'security');
  if (!deps.isSandbox(tenantId)) {
    const found = await addressOf(deps, tenantId, host, port);
    if ('refused' in found) throw invalid('host', found.refused);
  }
  if (security === 'none' && !deps.isSandbox(tenantId) && !(await isPrivateHost(host)))
    throw invalid('security', 'Without TLS only a mail server on this machine or its own networks is used; choose starttls or tls.');
  const user = oneLine(input.user === undefined ? (old?.user ?? null) : input.user, 'user');
  const fromAddress = address(given(input.fromAddress ?? old?.fromAddress, 'fromAddress'), 'fromAddress');
  const settings: EmailSettings = {
    host,
    port,
    security,
    user,
    fromName: oneLine(input.fromName === undefined ? (old?.fromName ?? null) : input.fromName, 'fromName'),
    fromAddress: given(fromAddress ?? undefined, 'fromAddress'),
    replyTo: address(input.replyTo === undefined ? (old?.replyTo ?? null) : input.replyTo, 'replyTo'),
  };
  if (user === null) return { settings, secret: { text: null } };
  if (typeof input.password === 'string' && input.password !== '') return { settings, secret: { text: input.password } };
  const moved =
    old !== undefined && (old.host !== host || old.port !== port || old.user !== user || (old.security !== 'none' && security === 'none'));
  if (input.password !== undefined || !before?.hasSecret)
    throw new ServiceError('REQUIRED_FIELD_MISSING', 'A user needs a password.', { field: 'password' });
  if (moved)
    throw new ServiceError('REQUIRED_FIELD_MISSING', 'Give the password again: the server or its user is another.', { field: 'password' });
  return { settings, secret: 'kept' };
}

/** The settings of texts with a change made; the token goes to the address that it was given for alone. */
export function checkSms(
  deps: Dependencies,
  tenantId: string,
  before: SmsSettings | null,
  input: SmsChannelInput,
): { settings: SmsSettings; secret: SecretChange } {
  const accountSid = given(input.accountSid ?? before?.accountSid, 'accountSid').trim();
  if (!ACCOUNT.test(accountSid)) throw invalid('accountSid', 'accountSid must be AC and 32 hexadecimal digits.');
  const from = given(input.from ?? before?.from, 'from').trim();
  const isNumber = from.startsWith('+') && toE164(from) === from;
  if (!isNumber && !SERVICE.test(from) && !SHORT_CODE.test(from) && !SENDER_NAME.test(from))
    throw invalid('from', 'from must be a number such as +12075550142, a short code, a sender name, or a messaging service (MG…).');
  const apiUrl = apiUrlOf(input.apiUrl === undefined ? (before?.apiUrl ?? TWILIO) : (input.apiUrl ?? TWILIO), deps.isSandbox(tenantId));
  const settings: SmsSettings = { provider: 'twilio', accountSid, from, apiUrl };
  if (input.authToken !== undefined && input.authToken !== '') return { settings, secret: { text: input.authToken } };
  if (!before) throw new ServiceError('REQUIRED_FIELD_MISSING', 'authToken is required.', { field: 'authToken' });
  if (before.apiUrl !== apiUrl || before.accountSid !== accountSid)
    throw new ServiceError('REQUIRED_FIELD_MISSING', 'Give the token again: the account or its address is another.', {
      field: 'authToken',
    });
  return { settings, secret: 'kept' };
}

function apiUrlOf(text: string, isSandbox: boolean): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isBare = url !== null && url.username === '' && url.password === '' && url.search === '' && url.hash === '';
  if (!isBare || !(url.protocol === 'https:' || (isSandbox && url.protocol === 'http:')))
    throw invalid('apiUrl', `apiUrl must be an HTTPS address such as ${TWILIO}.`);
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
}
