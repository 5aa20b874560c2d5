import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';

const TLS = join(import.meta.dirname, '../../support/tls');

interface MailServerOptions {
  readonly tls?: 'none' | 'starttls' | 'tls';
  readonly certificate?: 'receiver' | 'stranger';
  /** The only accepted sign-in; without it no sign-in is required. */
  readonly login?: { readonly user: string; readonly password: string };
}

/** A received email. */
export interface Mail extends Email {
  readonly raw: string;
  readonly envelopeTo: string[];
  readonly isSecure: boolean;
}

export interface MailServer {
  readonly port: number;
  readonly mails: Mail[];
  /** The response for a recipient: an SMTP code with text, no response, or undefined to accept it. */
  answer: (to: string) => { readonly code: number; readonly text: string } | 'silence' | undefined;
  /** Recipients of all requests. */
  readonly asked: string[];
  /** Passwords of all sign-ins. */
  readonly signIns: string[];
  /** Changes the accepted sign-in. */
  login: MailServerOptions['login'];
  /** Returns the emails to an address. */
  to(address: string): Mail[];
  stop(): Promise<void>;
}

function refusal(code: number, text: string): Error {
  return Object.assign(new Error(text), { responseCode: code });
}

/** A mail server on this computer that records what it receives. */
export async function startMailServer(options: MailServerOptions = {}): Promise<MailServer> {
  const { tls = 'none', certificate = 'receiver' } = options;
  const mails: Mail[] = [];
  const smtp = new SMTPServer({
    secure: tls === 'tls',
    key: readFileSync(join(TLS, `${certificate}-key.pem`)),
    cert: readFileSync(join(TLS, `${certificate}.pem`)),
    disabledCommands: tls === 'none' ? ['STARTTLS'] : [],
    allowInsecureAuth: true,
    closeTimeout: 100,
    authOptional: options.login === undefined,
    onAuth({ username, password }, _session, done) {
      const { login } = server;
      server.signIns.push(password ?? '');
      if (login && username === login.user && password === login.password) return done(null, { user: username });
      // Some servers repeat the received credentials.
      done(refusal(535, `5.7.8 no such sign-in: ${username} ${password}`));
    },
    onRcptTo({ address }, _session, done) {
      const answer = server.answer(address);
      server.asked.push(address);
      if (answer !== 'silence') done(answer ? refusal(answer.code, answer.text) : null);
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const bytes = Buffer.concat(chunks);
        const envelopeTo = session.envelope.rcptTo.map(({ address }) => address);
        void PostalMime.parse(bytes).then((email) => {
          mails.push({ ...email, raw: bytes.toString('utf8'), envelopeTo, isSecure: session.secure });
          done(null, 'queued as 4711');
        });
      });
    },
  });
  // A client that does not trust the certificate closes the connection.
  smtp.on('error', () => {});
  await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', resolve));
  const server: MailServer = {
    port: (smtp.server.address() as AddressInfo).port,
    mails,
    asked: [],
    signIns: [],
    answer: () => undefined,
    login: options.login,
    to: (address) => mails.filter(({ envelopeTo }) => envelopeTo.includes(address)),
    stop: () => new Promise((resolve) => smtp.close(resolve)),
  };
  return server;
}
