import { readFile } from 'node:fs/promises';

/** Returns the certificates of a PEM file. @throws Error if it contains none. */
export async function readCertificates(file: string, purpose: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch((cause: Error) => {
    throw new Error(`The certificates for ${purpose} cannot be read from ${file}: ${cause.message}`, { cause });
  });
  if (!text.includes('-----BEGIN CERTIFICATE-----')) throw new Error(`${file} contains no certificate in PEM format.`);
  return text;
}
