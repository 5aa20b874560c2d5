import { isIP } from 'node:net';
import type { PeerCertificate, TLSSocket } from 'node:tls';
import { BlockedTarget, type ForbiddenTarget, type Lookup, reachable } from '#core/platform/outbound';
import type { HttpResponse, ReaderRequest } from './http-client.ts';

interface ReaderClientOptions {
  /** Addresses that must never be reached: the server's own port and that of its database. */
  readonly forbidden: () => readonly ForbiddenTarget[];
  readonly lookup: Lookup;
}

const CONNECT_TIMEOUT_MS = 5_000;
const LOOPBACK = /^(127\.|::1$)/;

/** One text for all failures before the reader has proved its name, so that an address cannot be used to look for other services. */
const NO_READER = 'No card reader with a certificate of this root answers at the address.';
const LOST = 'The connection to the card reader broke off.';

/**
 * Creates the client for card readers in the local network. It connects only to private addresses, and sends nothing before the certificate of the reader is
 * verified: by the given root only, and by its common name.
 */
export function createReaderClient({ forbidden, lookup }: ReaderClientOptions) {
  const open = new Set<TLSSocket>();

  /** Returns the address of a reader. @throws BlockedTarget for an address that is not local, or the error of the resolver. */
  async function addressOf({ host, port, mayBeLocalhost }: ReaderRequest): Promise<string> {
    const rules = { forbidden: forbidden(), lookup };
    const isLoopback = mayBeLocalhost && (isIP(host) === 0 ? host === 'localhost' : LOOPBACK.test(host));
    const found = await reachable(host, port, { ...rules, reach: isLoopback ? 'private' : 'local' });
    const [first] = isLoopback ? found.filter(({ address }) => LOOPBACK.test(address)) : found;
    if (first === undefined) throw new Error('The host name has no address.');
    return first.address;
  }

  /** Connects and verifies the certificate. */
  async function connect(request: ReaderRequest): Promise<TLSSocket> {
    // Only installations with such readers load it.
    const [host, { connect: connectTls }] = await Promise.all([addressOf(request), import('node:tls')]);
    return new Promise((resolve, reject) => {
      const socket = connectTls({
        host,
        port: request.port,
        ca: request.root,
        minVersion: 'TLSv1.2',
        ALPNProtocols: ['http/1.1'],
        checkServerIdentity: (_host, certificate) => identityFault(certificate, request.isNamed),
      });
      const timer = setTimeout(() => socket.destroy(new Error('timeout')), CONNECT_TIMEOUT_MS);
      open.add(socket);
      socket.once('close', () => {
        clearTimeout(timer);
        open.delete(socket);
        reject(new Error('closed'));
      });
      socket.once('error', reject);
      socket.once('secureConnect', () => {
        clearTimeout(timer);
        resolve(socket);
      });
    });
  }

  async function exchange(socket: TLSSocket, request: ReaderRequest): Promise<HttpResponse> {
    const { request: send } = await import('node:http');
    return new Promise((resolve) => {
      const end = (response: HttpResponse) => {
        clearTimeout(timer);
        socket.destroy();
        resolve(response);
      };
      const lost = (reason = LOST) => end({ kind: 'lost', reason });
      const timer = setTimeout(() => lost('The card reader did not respond in time.'), request.timeoutMs);
      socket.once('close', () => lost());
      const { host, port, path, contentType, body, bytesMax } = request;
      const headers = { 'content-type': contentType, 'content-length': Buffer.byteLength(body), connection: 'close' };
      const sent = send({ host, port, path, method: 'POST', headers, createConnection: () => socket }, (response) => {
        const chunks: Buffer[] = [];
        let size = 0;
        response.on('data', (chunk: Buffer) => {
          size += chunk.length;
          if (size > bytesMax) return lost('The response of the card reader exceeds the supported size.');
          chunks.push(chunk);
        });
        response.once('error', () => lost());
        response.once('end', () => {
          if (!response.complete) return lost();
          const { statusCode = 0, headers: received } = response;
          const text = Buffer.concat(chunks).toString('utf8');
          end({ kind: 'answered', status: statusCode, contentType: received['content-type'] ?? '', body: text });
        });
      });
      sent.once('error', () => lost());
      sent.end(body);
    });
  }

  return {
    async post(request: ReaderRequest): Promise<HttpResponse> {
      let socket: TLSSocket;
      try {
        socket = await connect(request);
      } catch (error) {
        return { kind: 'not-sent', reason: error instanceof BlockedTarget ? error.message : NO_READER };
      }
      request.onConnected?.();
      return exchange(socket, request);
    },
    close(): void {
      for (const socket of open) socket.destroy();
    },
  };
}

/** Returns the fault of a certificate whose chain is verified; undefined if its common name is that of the reader. */
function identityFault({ subject }: PeerCertificate, isNamed: (commonName: string) => boolean): Error | undefined {
  const name: unknown = subject?.CN;
  return typeof name === 'string' && isNamed(name) ? undefined : new Error('The certificate has another name.');
}
