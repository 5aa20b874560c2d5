import { createHash } from 'node:crypto';
import { strToU8, zipSync } from 'fflate';
import { VERIFY_SCRIPT } from './verify-script.ts';

export interface ArchiveFile {
  /** Path inside the archive. */
  readonly name: string;
  readonly content: Buffer | string;
}

/** An archive that proves itself: a manifest with the hash of each file, linked audit entries, and a program that checks them. */
export interface Archive {
  readonly bytes: Buffer;
  /** Hash of the manifest's content, which the audit log records. */
  readonly manifestSha256: string;
}

const sha256 = (content: Buffer | string) => createHash('sha256').update(content).digest('hex');

/** Links audit entries: each digest covers its entry and the digest before it. */
function linkedAudit(entries: readonly object[]): { readonly digest: string; readonly entry: object }[] {
  let previous = '';
  return entries.map((entry) => {
    previous = sha256(previous + JSON.stringify(entry));
    return { digest: previous, entry };
  });
}

/** Packs the files with the audit segment. @param about Identifies the pack in the manifest. */
export function createArchive(files: readonly ArchiveFile[], audit: readonly object[], about: Readonly<Record<string, string>>): Archive {
  const all: readonly ArchiveFile[] = [
    ...files,
    { name: 'audit.json', content: `${JSON.stringify(linkedAudit(audit), null, 2)}\n` },
    { name: 'verify.mjs', content: VERIFY_SCRIPT },
  ];
  const content = { ...about, files: all.map((file) => ({ name: file.name, sha256: sha256(file.content) })) };
  const seal = sha256(JSON.stringify(content));
  const manifest = `${JSON.stringify({ ...content, seal }, null, 2)}\n`;
  const entries = [...all, { name: 'manifest.json', content: manifest }].map(
    ({ name, content: body }) => [name, typeof body === 'string' ? strToU8(body) : new Uint8Array(body)] as const,
  );
  // A fixed date makes equal packs equal byte by byte.
  const bytes = zipSync(Object.fromEntries(entries), { mtime: new Date('2000-01-01T00:00:00') });
  return { bytes: Buffer.from(bytes), manifestSha256: seal };
}
