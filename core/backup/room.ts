import { statfsSync } from 'node:fs';
import { BackupRefused } from './refused.ts';

const MEGABYTE = 1_000_000;

const inMegabytes = (bytes: number) => `${Math.ceil(bytes / MEGABYTE).toLocaleString('en-US')} MB`;

/** Rows are written about eight times as small as they lie in a database; no database was seen to need more than a fifth. */
const SHRINK = 5;

/** Estimate of a backup's size, at the upper end, from the size of its database. */
export const estimateBackup = (databaseBytes: number) => databaseBytes / SHRINK;

/** Returns the reason why a folder's disk lacks room for `bytes`, or null. A file system that does not state its room is trusted. */
export function missingRoom(folder: string, bytes: number): string | null {
  const { bavail, blocks, bsize } = statfsSync(folder);
  const free = bavail * bsize;
  if (blocks === 0 || free >= bytes) return null;
  return `it may need ${inMegabytes(bytes)}, and the disk has room for ${inMegabytes(free)} only`;
}

/**
 * Refuses work that a folder's disk has no room for, before it begins; `what` begins the sentence.
 * @throws BackupRefused
 */
export function checkRoom(folder: string, bytes: number, what: string): void {
  const missing = missingRoom(folder, bytes);
  if (missing !== null) throw new BackupRefused('disk-full', `${what} was not started: ${missing} in ${folder}.`);
}
