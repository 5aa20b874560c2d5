import { closeSync, existsSync, fsyncSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

const markOf = (file: string) => `${file}.clean-stop`;

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

/** Marks that a database file was closed properly. If the disk has no room for the mark, the next start checks the file. */
export function leaveCleanStopMark(file: string): void {
  try {
    writeFileSync(markOf(file), '', { mode: 0o600 });
  } catch {}
}
