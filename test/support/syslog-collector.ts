import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { createServer as createTlsServer } from 'node:tls';

const TLS = join(import.meta.dirname, 'tls');
const OPTIONS = { cert: readFileSync(join(TLS, 'receiver.pem')), key: readFileSync(join(TLS, 'receiver-key.pem')) };

export const COLLECTOR_CA_FILE = join(TLS, 'ca.pem');

/** A collector of syslog messages with their length before each. */
export interface SyslogCollector {
  readonly url: string;
  /** Messages of connections that ended in an orderly way. */
  readonly messages: readonly string[];
  /** While true, each connection is broken after its first bytes. */
  isFailing: boolean;
  close(): Promise<void>;
}

/** Starts a collector on a loopback port. @throws in the connection for a message with a wrong length. */
export async function startSyslogCollector(protocol: 'tls' | 'tcp'): Promise<SyslogCollector> {
  const messages: string[] = [];
  const take = (socket: Socket) => {
    const parts: Buffer[] = [];
    socket.on('error', () => undefined);
    socket.on('data', (part: Buffer) => {
      if (collector.isFailing) socket.destroy();
      else parts.push(part);
    });
    socket.on('end', () => {
      if (!collector.isFailing) messages.push(...framesOf(Buffer.concat(parts)));
    });
  };
  const server = protocol === 'tls' ? createTlsServer(OPTIONS, take) : createServer(take);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const collector = {
    url: `${protocol}://localhost:${(server.address() as AddressInfo).port}`,
    messages,
    isFailing: false,
    close: async () => void (await once(server.close(), 'close')),
  };
  return collector;
}

function framesOf(received: Buffer): string[] {
  const frames: string[] = [];
  for (let rest = received; rest.length > 0; ) {
    const space = rest.indexOf(' ');
    const length = Number(rest.subarray(0, space));
    if (!Number.isInteger(length) || length <= 0 || rest.length < space + 1 + length) throw new Error('A frame has a wrong length.');
    frames.push(rest.subarray(space + 1, space + 1 + length).toString('utf8'));
    rest = rest.subarray(space + 1 + length);
  }
  return frames;
}
