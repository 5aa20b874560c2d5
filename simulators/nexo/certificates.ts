// Certificates of simulated readers: a root with the same key in every process, so that a gateway keeps its root certificate, and the readers' own ones.
import { createECDH, createHash, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';

const CURVE = 'prime256v1';
const SEED = 'root of simulated nexo card readers';
const ROOT_NAME = 'Simulated nexo card readers';
const [FROM, UNTIL] = ['20260101000000Z', '20560101000000Z'];

const TAG = { integer: 2, bits: 3, octets: 4, oid: 6, utf8: 12, time: 24, sequence: 48, set: 49, version: 160, extensions: 163 } as const;
/** Object identifiers in DER. */
const OID = { ecdsaWithSha256: '2a8648ce3d040302', commonName: '550403', basicConstraints: '551d13' } as const;
const TRUE = Buffer.from([1, 1, 255]);

/** Returns a value of DER: its tag, the length of its content, and the content. */
function der(tag: number, ...content: readonly Buffer[]): Buffer {
  const body = Buffer.concat(content);
  const length = body.length < 128 ? [body.length] : [130, body.length >> 8, body.length & 255];
  return Buffer.concat([Buffer.from([tag, ...length]), body]);
}
const oid = (hex: string) => der(TAG.oid, Buffer.from(hex, 'hex'));
const time = (text: string) => der(TAG.time, Buffer.from(text));
const nameOf = (commonName: string) =>
  der(TAG.sequence, der(TAG.set, der(TAG.sequence, oid(OID.commonName), der(TAG.utf8, Buffer.from(commonName)))));
const ALGORITHM = der(TAG.sequence, oid(OID.ecdsaWithSha256));
const CA = der(
  TAG.extensions,
  der(TAG.sequence, der(TAG.sequence, oid(OID.basicConstraints), TRUE, der(TAG.octets, der(TAG.sequence, TRUE)))),
);

interface Issuer {
  readonly name: string;
  readonly key: KeyObject;
}

/** Returns a certificate in PEM. */
function certificate(issuer: Issuer, commonName: string, publicKey: KeyObject, isRoot: boolean): string {
  const serial = createHash('sha256').update(`${issuer.name}/${commonName}`).digest().subarray(0, 8);
  serial[0] = ((serial[0] ?? 0) & 127) | 64;
  const signed = der(
    TAG.sequence,
    der(TAG.version, der(TAG.integer, Buffer.from([2]))),
    der(TAG.integer, serial),
    ALGORITHM,
    nameOf(issuer.name),
    der(TAG.sequence, time(FROM), time(UNTIL)),
    nameOf(commonName),
    publicKey.export({ type: 'spki', format: 'der' }),
    ...(isRoot ? [CA] : []),
  );
  const signature = der(TAG.bits, Buffer.from([0]), sign('sha256', signed, issuer.key));
  const base64 = der(TAG.sequence, signed, ALGORITHM, signature).toString('base64');
  return ['-----BEGIN CERTIFICATE-----', ...(base64.match(/.{1,64}/g) ?? []), '-----END CERTIFICATE-----', ''].join('\n');
}

/** Returns the private key that a seed determines. */
function keyOf(seed: string): KeyObject {
  const ecdh = createECDH(CURVE);
  ecdh.setPrivateKey(createHash('sha256').update(seed).digest());
  const point = ecdh.getPublicKey();
  const [x, y, d] = [point.subarray(1, 33), point.subarray(33), ecdh.getPrivateKey()].map((part) => part.toString('base64url'));
  return createPrivateKey({ key: { kty: 'EC', crv: 'P-256', x, y, d }, format: 'jwk' });
}

/** A root of readers, and the certificates that it issues. */
export function createRoot(seed = SEED) {
  const issuer = { name: ROOT_NAME, key: keyOf(seed) };
  return {
    /** The root's own certificate in PEM. */
    certificate: certificate(issuer, ROOT_NAME, createPublicKey(issuer.key), true),
    /** Returns the TLS settings of a reader with a new key. */
    issue(commonName: string): { readonly key: string; readonly cert: string } {
      const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: CURVE });
      const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
      return { key, cert: certificate(issuer, commonName, publicKey, false) };
    },
  };
}
