import { isIP } from 'node:net';
import type { SendMailOptions } from 'nodemailer';
import type SMTPConnection from 'nodemailer/lib/smtp-connection';
import type { Trust } from '#core/platform/outbound';
import { type Outcome, plainMessage } from './outcome.ts';
import type { EmailSettings } from './records.ts';

const TIMEOUTS = { stepMs: 10_000, wholeMs: 45_000 };

/** A mail server with its checked address. */
interface MailServer {
  readonly settings: EmailSettings;
  readonly password: string | null;
  readonly address: string;
  readonly trust: Trust;
  /** Words of the mail that no stored response may contain. */
  readonly secretWords?: readonly string[];
  /**
   * Time limits for each step of the conversation and for the whole of it, so that a server that answers slowly does not hold the
   * connection.
   */
  readonly timeouts?: { readonly stepMs: number; readonly wholeMs: number };
}

/**
 * Commands that follow the greeting, EHLO and STARTTLS. Before them, the other end may be any kind of service, so its text is not shown to
 * a tenant.
 */
const COMMANDS_TO_MAIL_SERVER = /^(AUTH|MAIL FROM|RCPT TO|DATA)/;

/** Error details of nodemailer. */
interface SmtpFailure {
  readonly code?: string;
  /** Error code before nodemailer replaced it. */
  readonly originalCode?: string;
  readonly responseCode?: number;
  readonly response?: string;
  readonly command?: string;
  readonly message?: string;
}

/** Sends a mail over a separate connection. */
export async function sendMail(server: MailServer, mail: SendMailOptions): Promise<Outcome> {
  const { host, port, security, user } = server.settings;
  const { stepMs, wholeMs } = server.timeouts ?? TIMEOUTS;
  const { createTransport } = await import('nodemailer');
  const options = {
    host: server.address,
    ...(isIP(host) ? {} : { servername: host }),
    port,
    secure: security === 'tls',
    requireTLS: security === 'starttls',
    ignoreTLS: security === 'none',
    tls: { secureContext: server.trust() },
    ...(user === null ? {} : { auth: { user, pass: server.password ?? '' } }),
    connectionTimeout: stepMs,
    greetingTimeout: stepMs,
    socketTimeout: stepMs,
    dnsTimeout: stepMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
  const transport = createTransport(options);
  const secrets = [...(server.secretWords ?? []), server.password ?? '', ...(user === null ? [] : [plainLogin(user, server.password)])];
  try {
    const international = internationalAddresses(server.settings, mail);
    if (international !== null && !(await offersUtf8(options))) return withoutUtf8(international);
    const { response } = await transport.sendMail({ ...mail, signal: AbortSignal.timeout(wholeMs) });
    return { kind: 'sent', providerId: plainMessage(response, secrets) };
  } catch (error) {
    return outcomeOf(error as SmtpFailure, host, secrets);
  } finally {
    transport.close();
  }
}

/** Party of a mail whose address has letters other than ASCII before the at sign. The domain is sent in ASCII and needs no extension. */
type International = 'sender' | 'recipient';

function internationalAddresses({ fromAddress, replyTo }: EmailSettings, { to }: SendMailOptions): International | null {
  const isInternational = (address: string | null) => NON_ASCII.test((address ?? '').slice(0, address?.lastIndexOf('@')));
  if (isInternational(fromAddress) || isInternational(replyTo)) return 'sender';
  return typeof to === 'string' && isInternational(to) ? 'recipient' : null;
}

const NON_ASCII = /[^ -~]/;

/** Returns true if a mail server offers SMTPUTF8 (RFC 6531). nodemailer sends international addresses to other servers, too. @throws the error of nodemailer. */
async function offersUtf8(options: SMTPConnection.Options): Promise<boolean> {
  const { default: Connection } = await import('nodemailer/lib/smtp-connection');
  const connection = new Connection(options);
  try {
    await new Promise<void>((resolve, reject) => {
      connection.on('error', reject);
      connection.connect((error) => (error ? reject(error) : resolve()));
    });
    // Its types omit the extensions of the last EHLO.
    return (connection as unknown as { readonly _supportedExtensions: readonly string[] })._supportedExtensions.includes('SMTPUTF8');
  } finally {
    connection.quit();
  }
}

const withoutUtf8 = (whose: International): Outcome =>
  whose === 'sender'
    ? {
        kind: 'channel',
        message:
          'The mail server accepts no letters such as ü before the @ of the sender or reply address (SMTPUTF8). Use another address.',
      }
    : { kind: 'refused', message: 'The mail server accepts no letters such as ü before the @ of an address (SMTPUTF8).' };

/** Returns the credentials as AUTH PLAIN sends them. */
const plainLogin = (user: string, password: string | null) => `\u0000${user}\u0000${password ?? ''}`;

const CERTIFICATE = /^(CERT_|ERR_TLS_|DEPTH_ZERO_|SELF_SIGNED|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE)/;
/** Response codes with which a server requires a sign-in, or another one. */
const LOGIN_CODES = new Set([530, 534, 535, 538]);
const TOO_LARGE = 552;

function outcomeOf(error: SmtpFailure, host: string, secrets: readonly string[]): Outcome {
  const { code = '', responseCode = 0, command = '' } = error;
  const responseText = COMMANDS_TO_MAIL_SERVER.test(command) ? plainMessage(error.response ?? '', secrets) : '';
  const quotedResponse = responseText === '' ? '' : ` Response: ${responseText}`;
  if (code === 'EAUTH' || LOGIN_CODES.has(responseCode)) {
    const isBusy = responseCode >= 400 && responseCode < 500;
    const message = `The mail server rejected the sign-in.${quotedResponse}`;
    return isBusy ? { kind: 'fault', message, ofChannel: true } : { kind: 'channel', message };
  }
  if (CERTIFICATE.test(error.originalCode ?? ''))
    return { kind: 'channel', message: `The certificate of the mail server ${host} is not trusted (${error.originalCode}).` };
  if (code === 'ETLS')
    return { kind: 'channel', message: `No secure connection could be made to the mail server ${host}.${quotedResponse}` };
  if (code === 'EENVELOPE' || code === 'EMESSAGE') return refusalOf(responseCode, command, quotedResponse);
  if (code === 'ETIMEDOUT' || code === 'EABORT')
    return { kind: 'fault', message: `The mail server ${host} did not respond in time.`, ofChannel: true };
  if (error.originalCode === 'ECONNREFUSED')
    return { kind: 'fault', message: `The mail server ${host} refused the connection: no service listens on this port.`, ofChannel: true };
  return { kind: 'fault', message: `The connection to the mail server ${host} was interrupted.${quotedResponse}`, ofChannel: true };
}

function refusalOf(responseCode: number, command: string, quotedResponse: string): Outcome {
  const isPermanent = responseCode === 0 || responseCode >= 500;
  if (!isPermanent) return { kind: 'fault', message: `The mail server deferred the message.${quotedResponse}`, ofChannel: false };
  // A server that refuses the sender refuses every message.
  if (command === 'MAIL FROM' && responseCode !== TOO_LARGE && responseCode !== 0)
    return { kind: 'channel', message: `The mail server rejected the sender's address.${quotedResponse}` };
  return { kind: 'refused', message: `The mail server rejected the message.${quotedResponse}` };
}
