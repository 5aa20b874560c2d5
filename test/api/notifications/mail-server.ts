import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';

const TLS = join(import.meta.dirname, '../../support/tls');

export interface MailServerOptions {
  readonly tls?: 'none' | 'starttls' | 'tls';
  readonly certificate?: 'receiver' | 'stranger';
  /** The one sign-in that is taken; without it none is asked for. */
  readonly login?: { readonly user: string; readonly password: string };
}

/** A mail as it came in. */
export interface Mail extends Email {
  readonly raw: string;
  readonly envelopeTo: string[];
  readonly isSecure: boolean;
}

export interface MailServer {
  readonly port: number;
  readonly mails: Mail[];
  /** How a recipient is answered: an SMTP code with words, nothing at all, or undefined to take it. */
  answer: (to: string) => { readonly code: number; readonly words: string } | 'silence' | undefined;
  /** Recipients that were asked for. */
  readonly asked: string[];
  /** Passwords that were tried. */
  readonly signIns: string[];
  /** The sign-in that is taken from now on. */
  login: MailServerOptions['login'];
  /** What came for an address. */
  to(address: string): Mail[];
  stop(): Promise<void>;
}

function refusal(code: number, words: string): Error {
  return Object.assign(new Error(words), { responseCode: code });
}

/** A real mail server on this machine that notes what it gets. */
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
      // Some servers repeat what they were given.
      done(refusal(535, `5.7.8 no such sign-in: ${username} ${password}`));
    },
    onRcptTo({ address }, _session, done) {
      const answer = server.answer(address);
      server.asked.push(address);
      if (answer !== 'silence') done(answer ? refusal(answer.code, answer.words) : null);
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
  // A client that does not trust the certificate lets go of the connection.
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
