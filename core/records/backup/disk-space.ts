import { statfsSync } from 'node:fs';
import { BackupRefused } from './backup-refused.ts';

const MEGABYTE = 1_000_000;

const inMegabytes = (bytes: number) => `${Math.ceil(bytes / MEGABYTE).toLocaleString('en-US')} MB`;

/**
 * Factor by which a backup is smaller than its database, at the lower end. Usually it is about eight; no measured backup was larger than a
 * fifth.
 */
const SHRINK = 5;

/** Returns the estimated size of a backup, at the upper end, from the size of its database. */
export const estimateBackup = (databaseBytes: number) => databaseBytes / SHRINK;

/** Returns the reason why a folder's disk lacks room for `bytes`, or null. A file system that does not state its room is trusted. */
export function missingRoom(folder: string, bytes: number): string | null {
  const { bavail, blocks, bsize } = statfsSync(folder);
  const free = bavail * bsize;
  if (blocks === 0 || free >= bytes) return null;
  return `it may need ${inMegabytes(bytes)}, but only ${inMegabytes(free)} are free on the disk`;
}

/**
 * Checks that a folder's disk has room for an operation, before it starts. `operation` is the start of the error message.
 * @throws BackupRefused
 */
export function checkRoom(folder: string, bytes: number, operation: string): void {
  const missing = missingRoom(folder, bytes);
  if (missing !== null) throw new BackupRefused('disk-full', `${operation} was not started: ${missing} of ${folder}.`);
}
