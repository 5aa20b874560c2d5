import { isIP } from 'node:net';
import { rootCertificates } from 'node:tls';
import { createTransport, type SendMailOptions } from 'nodemailer';
import type { EmailSettings } from './channel.ts';
import { type Outcome, plainMessage } from './outcome.ts';

const PATIENCE = { stepMs: 10_000, wholeMs: 45_000 };

/** A mail server with the address that was checked. */
interface MailServer {
  readonly settings: EmailSettings;
  readonly password: string | null;
  readonly address: string;
  /** Certificates in PEM that are trusted besides those of the public authorities. */
  readonly ca: readonly string[];
  /**
   * Time limits for each step of the conversation and for the whole of it, so that a server that answers slowly does not hold the
   * connection.
   */
  readonly patience?: { readonly stepMs: number; readonly wholeMs: number };
}

/** Commands that follow the greeting, EHLO and STARTTLS. Before these any service may be at the other end, and its banner is not shown to a tenant. */
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
  const { stepMs, wholeMs } = server.patience ?? PATIENCE;
  const transport = createTransport({
    host: server.address,
    ...(isIP(host) ? {} : { servername: host }),
    port,
    secure: security === 'tls',
    requireTLS: security === 'starttls',
    ignoreTLS: security === 'none',
    tls: { minVersion: 'TLSv1.2', ...(server.ca.length === 0 ? {} : { ca: [...rootCertificates, ...server.ca] }) },
    ...(user === null ? {} : { auth: { user, pass: server.password ?? '' } }),
    connectionTimeout: stepMs,
    greetingTimeout: stepMs,
    socketTimeout: stepMs,
    dnsTimeout: stepMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const secrets = [server.password ?? '', ...(user === null ? [] : [plainLogin(user, server.password)])];
  try {
    const { response } = await transport.sendMail({ ...mail, signal: AbortSignal.timeout(wholeMs) });
    return { kind: 'sent', providerId: plainMessage(response, secrets) };
  } catch (error) {
    return outcomeOf(error as SmtpFailure, host, secrets);
  } finally {
    transport.close();
  }
}

/** The sign-in as AUTH PLAIN sends it. */
const plainLogin = (user: string, password: string | null) => `\u0000${user}\u0000${password ?? ''}`;

const CERTIFICATE = /^(CERT_|ERR_TLS_|DEPTH_ZERO_|SELF_SIGNED|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE)/;
/** The server wants a sign-in, or a better one. */
const LOGIN_CODES = new Set([530, 534, 535, 538]);
const TOO_LARGE = 552;

function outcomeOf(error: SmtpFailure, host: string, secrets: readonly string[]): Outcome {
  const { code = '', responseCode = 0, command = '' } = error;
  const said = COMMANDS_TO_MAIL_SERVER.test(command) ? plainMessage(error.response ?? '', secrets) : '';
  const quoted = said === '' ? '' : ` It said: ${said}`;
  if (code === 'EAUTH' || LOGIN_CODES.has(responseCode)) {
    const isBusy = responseCode >= 400 && responseCode < 500;
    const words = `The mail server did not take the sign-in.${quoted}`;
    return isBusy ? { kind: 'fault', words, ofChannel: true } : { kind: 'channel', words };
  }
  if (CERTIFICATE.test(error.originalCode ?? ''))
    return { kind: 'channel', words: `The certificate of the mail server ${host} is not trusted (${error.originalCode}).` };
  if (code === 'ETLS') return { kind: 'channel', words: `No secure connection could be made to the mail server ${host}.${quoted}` };
  if (code === 'EENVELOPE' || code === 'EMESSAGE') return refusalOf(responseCode, command, quoted);
  if (code === 'ETIMEDOUT' || code === 'EABORT')
    return { kind: 'fault', words: `The mail server ${host} did not answer in time.`, ofChannel: true };
  if (error.originalCode === 'ECONNREFUSED')
    return { kind: 'fault', words: `The mail server ${host} refused the connection: nothing listens there.`, ofChannel: true };
  return { kind: 'fault', words: `The connection to the mail server ${host} broke off.${quoted}`, ofChannel: true };
}

function refusalOf(responseCode: number, command: string, quoted: string): Outcome {
  const isForGood = responseCode === 0 || responseCode >= 500;
  if (!isForGood) return { kind: 'fault', words: `The mail server put the message off.${quoted}`, ofChannel: false };
  // A server that refuses the sender refuses every message.
  if (command === 'MAIL FROM' && responseCode !== TOO_LARGE && responseCode !== 0)
    return { kind: 'channel', words: `The mail server did not take the sender's address.${quoted}` };
  return { kind: 'refused', words: `The mail server refused the message.${quoted}` };
}
