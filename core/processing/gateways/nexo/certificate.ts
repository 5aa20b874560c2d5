import { X509Certificate } from 'node:crypto';

const PEM = /^-----BEGIN CERTIFICATE-----([A-Za-z0-9+/=\s]+)-----END CERTIFICATE-----$/;
const LINE = /.{1,64}/g;

/** Domains of the certificates of readers in each environment. */
const DOMAINS = { test: 'test.terminal.adyen.com', live: 'live.terminal.adyen.com' } as const;
/** Name in the certificate of readers that have none of their own. */
const SHARED_NAME = 'legacy-terminal-certificate';

/** Returns a certificate in PEM whose lines may have been joined; undefined if it is none. */
export function certificateFrom(text: string): { readonly pem: string; readonly certificate: X509Certificate } | undefined {
  const base64 = PEM.exec(text.trim())?.[1]?.replaceAll(/\s/g, '');
  if (base64 === undefined) return undefined;
  const pem = ['-----BEGIN CERTIFICATE-----', ...(base64.match(LINE) ?? []), '-----END CERTIFICATE-----', ''].join('\n');
  try {
    return { pem, certificate: new X509Certificate(pem) };
  } catch {
    return undefined;
  }
}

/** Returns true for the common name of the certificate of a reader, which contains its ID, or is the one that older readers share. */
export const isNameOf = (commonName: string, poiId: string, mode: 'test' | 'live'): boolean =>
  commonName === `${poiId}.${DOMAINS[mode]}` || commonName === `${SHARED_NAME}.${DOMAINS[mode]}`;
