import { readFileSync } from 'node:fs';
import { type ConnectionOptions, createSecureContext, getCACertificates } from 'node:tls';

const MODES = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'] as const;
type Mode = (typeof MODES)[number];

/** TLS options of a connection; false for a connection without encryption. */
export type HostTls = ConnectionOptions | false;

/** TLS settings of an address. */
export interface TlsSettings {
  /** Variants to try, in order. `allow` and `prefer` have two: with and without encryption. */
  readonly variants: readonly HostTls[];
}

type Refuse = (message: string) => Error;

/** Reads `sslmode`, `sslrootcert`, `sslcert`, `sslkey` and `sslpassword` with the meanings of libpq; `prefer` is the default. */
export function tlsSettings(given: URLSearchParams, refuse: Refuse): TlsSettings {
  const mode = modeOf(given, refuse);
  const rootFile = given.get('sslrootcert');
  const certFile = given.get('sslcert');
  const keyFile = given.get('sslkey');
  if ((certFile === null) !== (keyFile === null)) throw refuse('The parameters `sslcert` and `sslkey` must be given together.');
  if (rootFile === 'system' && mode !== 'verify-full') throw refuse('With `sslrootcert=system`, `sslmode` must be `verify-full`.');
  if (mode === 'verify-ca' && rootFile === null)
    throw refuse('With `sslmode=verify-ca`, `sslrootcert` must name the file of the certificate authority.');
  const read = (name: string, file: string | null) => (file === null ? undefined : readPem(name, file, refuse));
  const cert = read('sslcert', certFile);
  const key = read('sslkey', keyFile);
  const ca = rootFile === 'system' ? getCACertificates('system') : read('sslrootcert', rootFile);
  const passphrase = given.get('sslpassword');
  const files = { ...(cert && { cert, key }), ...(passphrase !== null && { passphrase }) };
  // As with libpq, a named authority makes `require` check the certificate.
  const isChecked = mode === 'verify-full' || mode === 'verify-ca' || (mode === 'require' && ca !== undefined);
  const encrypted: ConnectionOptions = {
    ...files,
    ...(isChecked ? { ca } : { rejectUnauthorized: false }),
    ...(isChecked && mode !== 'verify-full' && { checkServerIdentity: () => undefined }),
  };
  if (mode === 'disable') return { variants: [false] };
  if (mode === 'allow') return { variants: [false, encrypted] };
  return { variants: mode === 'prefer' ? [encrypted, false] : [encrypted] };
}

const contexts = new WeakMap<ConnectionOptions, ConnectionOptions>();

/** Returns the options of one connection. All connections share a TLS context, because one with many authorities takes much memory. */
export function connectionTls(tls: HostTls): HostTls {
  if (tls === false) return false;
  const known = contexts.get(tls);
  if (known) return known;
  const { ca, cert, key, passphrase, ...others } = tls;
  const shared = { ...others, secureContext: createSecureContext({ ca, cert, key, passphrase }) };
  contexts.set(tls, shared);
  return shared;
}

function modeOf(given: URLSearchParams, refuse: Refuse): Mode {
  // `ssl` is a parameter of node-postgres. Addresses from before the support of libpq's parameters may contain it.
  const ssl = given.get('ssl');
  const text = given.get('sslmode') ?? (ssl === null ? 'prefer' : ssl === 'true' || ssl === '1' ? 'verify-full' : 'disable');
  if (text === 'no-verify') return 'require';
  const mode = MODES.find((each) => each === text);
  if (mode === undefined) throw refuse(`The parameter \`sslmode\` must be one of ${MODES.join(', ')}.`);
  return mode;
}

function readPem(name: string, file: string, refuse: Refuse): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw refuse(`The file of \`${name}\` cannot be read: ${(error as Error).message}`);
  }
}
