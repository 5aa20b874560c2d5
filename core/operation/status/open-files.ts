import { readdir, readFile } from 'node:fs/promises';

/** Files and connections that the process has open, and the number that the system allows. */
export interface OpenFiles {
  readonly open: number;
  readonly limit: number;
}

/** Reads the open files of this process; null where the system does not show them. @param folder The folder of a process as Linux has it. */
export async function openFiles(folder = '/proc/self'): Promise<OpenFiles | null> {
  try {
    const [descriptors, limits] = await Promise.all([readdir(`${folder}/fd`), readFile(`${folder}/limits`, 'utf8')]);
    const limit = Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1]);
    return Number.isFinite(limit) ? { open: descriptors.length, limit } : null;
  } catch {
    return null;
  }
}
