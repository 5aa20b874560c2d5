import { statfsSync } from 'node:fs';
import { BackupRefused } from './refused.ts';

const MEGABYTE = 1_000_000;

const inMegabytes = (bytes: number) => `${Math.ceil(bytes / MEGABYTE).toLocaleString('en-US')} MB`;

/**
 * Refuses what a folder's disk has not room enough for, before any of it is done; `what` begins the sentence. A file system that does not tell its room
 * is trusted. Throws BackupRefused.
 */
export function checkRoom(folder: string, bytes: number, what: string): void {
  const { bavail, blocks, bsize } = statfsSync(folder);
  const free = bavail * bsize;
  if (blocks === 0 || free >= bytes) return;
  const words = `${what} was not begun: it may need ${inMegabytes(bytes)}, and the disk has room for ${inMegabytes(free)} only.`;
  throw new BackupRefused('disk-full', words);
}
