import { createPublicKey, sign, verify } from 'node:crypto';

/** Description of a new version, reduced to the parts that its signature covers. */
export interface SignedUpdate {
  readonly version: string;
  readonly files: readonly { readonly url: string; readonly sha512: string }[];
  /** Time after which the description is refused, because a newer one should have replaced it. */
  readonly expires?: string;
  /** Ed25519 signature of the version, its expiry and its files, in base64; written by `npm run sign-update`. */
  readonly signature?: string;
}

const PREFIX = 'paydesk-update-v2';
const LOOPBACK = /^(127\.\d+\.\d+\.\d+|localhost|\[::1\])$/;

/** Returns the text that is signed: the version, its expiry, then each file with its checksum. @throws if a part is missing. */
function signedStatement({ version, expires = '', files }: SignedUpdate): Buffer {
  const parts = [version, expires, ...(files ?? []).flatMap(({ url, sha512 }) => [url, sha512])];
  if (parts.length < 4 || !Number.isFinite(Date.parse(expires)) || parts.some((part) => typeof part !== 'string' || !/^\S+$/.test(part)))
    throw new Error('An update needs a version, an expiry, and files with their SHA-512.');
  return Buffer.from([PREFIX, version, expires, ...files.map(({ url, sha512 }) => `${url} ${sha512}`), ''].join('\n'));
}

/** Signs the description of a new version with a private key in PEM. */
export function signUpdate(update: SignedUpdate, privateKey: string): string {
  return sign(null, signedStatement(update), privateKey).toString('base64');
}

/** Returns true if the description of a new version carries a signature of the key, an Ed25519 public key in PEM. */
export function isSignedUpdate(update: SignedUpdate, publicKey: string): boolean {
  try {
    return (
      isEd25519(publicKey) &&
      verify(null, signedStatement(update), createPublicKey(publicKey), Buffer.from(update.signature ?? '', 'base64'))
    );
  } catch {
    return false;
  }
}

/** Returns true if a signed description has expired. One that stays the same for so long may hide newer versions. */
export function isExpired({ expires = '' }: SignedUpdate, nowMs: number): boolean {
  return !(Date.parse(expires) > nowMs);
}

/** Returns true if the text is an Ed25519 public key in PEM, and no private one. */
export function isEd25519(pem: string): boolean {
  try {
    return pem.includes('-----BEGIN PUBLIC KEY-----') && createPublicKey(pem).asymmetricKeyType === 'ed25519';
  } catch {
    return false;
  }
}

/** Returns the address in a feed file (app-update.yml); null if it contains none. */
export function parseFeedUrl(text: string): URL | null {
  const url = /^url:\s*['"]?([^\s'"]+)/m.exec(text)?.[1];
  return url !== undefined && URL.canParse(url) ? new URL(url) : null;
}

/** Returns true if updates may come from an address: over HTTPS, or from this computer if `allowsLoopback`, for tests. */
export function isTrustedFeed(url: URL | null, allowsLoopback: boolean): boolean {
  return url !== null && (url.protocol === 'https:' || (allowsLoopback && url.protocol === 'http:' && LOOPBACK.test(url.hostname)));
}
