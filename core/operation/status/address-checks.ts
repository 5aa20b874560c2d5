import { isIP } from 'node:net';
import { connect } from 'node:tls';

const ANSWER_WITHIN_MS = 5_000;
const KEPT_MS = 5 * 60_000;
const HTTPS_PORT = 443;

/** Result of the check of a public address: the end of its certificate, null without one, or why payers cannot open it, as a sentence. */
export type CheckedAddress = { readonly validUntilMs: number | null } | { readonly problem: string };

/** Reads the certificate of a public address by a TLS handshake without a request. */
export function readCertificate(origin: string): Promise<CheckedAddress> {
  const { protocol, hostname, port } = new URL(origin);
  if (protocol === 'http:') return Promise.resolve({ validUntilMs: null });
  return new Promise((resolve) => {
    const socket = connect({
      host: hostname,
      port: port === '' ? HTTPS_PORT : Number(port),
      ...(isIP(hostname) ? {} : { servername: hostname }),
    });
    const end = (found: CheckedAddress) => {
      socket.destroy();
      resolve(found);
    };
    socket.setTimeout(ANSWER_WITHIN_MS, () => end({ problem: 'It did not respond as a web server in time.' }));
    socket.once('error', (error) => end({ problem: `${error.message}.` }));
    socket.once('secureConnect', () => end({ validUntilMs: Date.parse(socket.getPeerCertificate().valid_to) }));
  });
}

/** Checks public addresses beside the requests for the status, so that nobody waits for the network. */
export class AddressChecks {
  readonly #check: (origin: string, isLive: boolean) => Promise<CheckedAddress>;
  readonly #seen = new Map<string, { found: CheckedAddress | null; againAtMs: number }>();

  constructor(check: (origin: string, isLive: boolean) => Promise<CheckedAddress>) {
    this.#check = check;
  }

  /** Returns what the last check found; null until the first one has ended. */
  lastOf(origin: string, isLive: boolean): CheckedAddress | null {
    const cached = this.#seen.get(origin);
    if (cached && cached.againAtMs > performance.now()) return cached.found;
    // Until the next check ends, the former result stays valid.
    const pending = { found: cached?.found ?? null, againAtMs: performance.now() + KEPT_MS };
    this.#seen.set(origin, pending);
    void this.#check(origin, isLive).then((found) => this.#seen.set(origin, { found, againAtMs: performance.now() + KEPT_MS }));
    return pending.found;
  }
}
