import { mkdirSync } from 'node:fs';
import { shell } from 'electron';
import type { LogFile } from './log-file.ts';

/** Opens the log folder in the file manager of the system. */
export async function showLogFolder({ folder }: LogFile): Promise<void> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const problem = await shell.openPath(folder);
  if (problem !== '') console.warn(`The log folder could not be opened: ${problem}`);
}
