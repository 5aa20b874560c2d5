import { mkdirSync } from 'node:fs';
import { shell } from 'electron';
import type { LogFile } from './log-file.ts';

/** Shows the log's folder to the person, in the system's own way. */
export async function showLogFolder({ folder }: LogFile): Promise<void> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const problem = await shell.openPath(folder);
  if (problem !== '') console.warn(`The log folder could not be opened: ${problem}`);
}
