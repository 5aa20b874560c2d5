import type { AddressInfo } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';

/** A mail server on this computer that accepts one user's email and keeps it. */
export interface MailBox {
  readonly port: number;
  readonly user: string;
  readonly password: string;
  /** Returns the emails to an address, oldest first. */
  mailFor(address: string): Promise<Email[]>;
  stop(): Promise<void>;
}

interface Kept {
  readonly to: readonly string[];
  readonly raw: Buffer;
}

/** Listens on a free port without TLS and requires a sign-in. */
export async function openMailBox(): Promise<MailBox> {
  const kept: Kept[] = [];
  const user = 'desk';
  const password = 'a mail password';
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth: (auth, _session, done) =>
      auth.username === user && auth.password === password ? done(null, { user }) : done(new Error('the password is not right')),
    onData: (stream, session, done) => {
      const parts: Buffer[] = [];
      stream.on('data', (part: Buffer) => parts.push(part));
      stream.on('end', () => {
        kept.push({ to: session.envelope.rcptTo.map(({ address }) => address), raw: Buffer.concat(parts) });
        done();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  return {
    port,
    user,
    password,
    mailFor: (address) => Promise.all(kept.filter(({ to }) => to.includes(address)).map(({ raw }) => PostalMime.parse(raw))),
    stop: () => new Promise((resolve) => server.close(resolve)),
  };
}
