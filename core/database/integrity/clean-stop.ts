import { closeSync, existsSync, fsyncSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

const markOf = (file: string) => `${file}.clean-stop`;

/** Returns the ID of the installation whose file was closed properly; null without a mark. */
export function installationOfMark(file: string): string | null {
  return existsSync(markOf(file)) ? readFileSync(markOf(file), 'utf8') : null;
}

/** Removes the mark of a clean stop from beside a database file, and returns true if it was there. */
export function takeCleanStopMark(file: string): boolean {
  const mark = markOf(file);
  if (!existsSync(mark)) return false;
  rmSync(mark);
  // After a power cut the mark must not appear again. Windows doesn't open folders, and needs no flush for this.
  if (process.platform !== 'win32') {
    const folder = openSync(dirname(file), 'r');
    try {
      fsyncSync(folder);
    } finally {
      closeSync(folder);
    }
  }
  return true;
}

/**
 * Marks that a database file was closed properly, with the ID of its installation. If the disk has no room for the mark, the next start
 * checks the file.
 */
export function leaveCleanStopMark(file: string, installationId: string): void {
  try {
    writeFileSync(markOf(file), installationId, { mode: 0o600 });
  } catch {}
}
