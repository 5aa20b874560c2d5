import { isIP } from 'node:net';
import { connect } from 'node:tls';

const ANSWER_WITHIN_MS = 5_000;
const KEPT_MS = 6 * 3_600_000;
const KEPT_FAILED_MS = 5 * 60_000;
const HTTPS_PORT = 443;

/** Certificate of an https address; `problem` if it cannot be read or is not trusted. */
export type Certificate = { readonly validUntilMs: number } | { readonly problem: string };

/** Reads the certificate of the public address by a TLS handshake without a request. */
function readCertificate(origin: string): Promise<Certificate> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve) => {
    const socket = connect({
      host: hostname,
      port: port === '' ? HTTPS_PORT : Number(port),
      ...(isIP(hostname) ? {} : { servername: hostname }),
    });
    const end = (found: Certificate) => {
      socket.destroy();
      resolve(found);
    };
    socket.setTimeout(ANSWER_WITHIN_MS, () => end({ problem: 'it did not respond in time' }));
    socket.once('error', (error) => end({ problem: error.message }));
    socket.once('secureConnect', () => end({ validUntilMs: Date.parse(socket.getPeerCertificate().valid_to) }));
  });
}

/** Caches certificates, so that nobody waits for the network. */
export class Certificates {
  readonly #read: (origin: string) => Promise<Certificate>;
  readonly #seen = new Map<string, { found: Certificate | null; againAtMs: number }>();

  constructor(read = readCertificate) {
    this.#read = read;
  }

  /** Returns the last known certificate; null until the first check has ended. */
  certificateOf(origin: string): Certificate | null {
    const cached = this.#seen.get(origin);
    if (cached && cached.againAtMs > performance.now()) return cached.found;
    // Until the next check ends, the former result stays valid.
    const pending = { found: cached?.found ?? null, againAtMs: performance.now() + KEPT_FAILED_MS };
    this.#seen.set(origin, pending);
    void this.#read(origin).then((found) => {
      this.#seen.set(origin, { found, againAtMs: performance.now() + ('problem' in found ? KEPT_FAILED_MS : KEPT_MS) });
    });
    return pending.found;
  }
}
