import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { isStorable, ServiceError } from '#core/kernel';

const NAME = /^paydesk-\d{8}T\d{6}Z(-\d+)?\.paydesk-backup(\.partial)?$/;
const FOLDER_MAX = 500;
const SAME_SECOND_MAX = 100;
/** Whoever writes a backup writes all the time. */
const ABANDONED_MS = 60_000;

/** Makes a rename in a file's folder outlive a power cut. Windows keeps it without being asked. */
export function syncFolder(file: string): void {
  if (process.platform === 'win32') return;
  const fd = openSync(dirname(file), 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** The name of a backup made at a time, which no file of the folder has, nor one that is being written. */
export function newName(folder: string, at: Date): string {
  const stamp = at.toISOString().replace(/[-:]|\.\d+/g, '');
  for (let nth = 1; nth < SAME_SECOND_MAX; nth += 1) {
    const name = `paydesk-${stamp}${nth === 1 ? '' : `-${nth}`}.paydesk-backup`;
    if (!existsSync(join(folder, name)) && !existsSync(join(folder, `${name}.partial`))) return name;
  }
  throw new Error('too many backups in one second');
}

/** Whether a file's name is one that we give; nothing else is ever removed. */
export const isOurName = (name: string) => NAME.test(name);

/** Takes away what a process that died left half-written. */
export function removePartials(folder: string): void {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    if (!name.endsWith('.partial') || !isOurName(name)) continue;
    const path = join(folder, name);
    const writtenMs = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
    if (Date.now() - writtenMs > ABANDONED_MS) rmSync(path, { force: true });
  }
}

/** Makes a folder with the ones above it. Not by mkdir's own way to do so, which never ends where a file system takes no folders. */
export function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  const above = dirname(folder);
  if (above !== folder) makeFolder(above);
  mkdirSync(folder, { mode: 0o700 });
}

/** Sees to it that a folder is there and takes files. VALIDATION_ERROR on `folder`, with the reason in words. */
export function checkFolder(folder: string): void {
  const refuse = (message: string, cause?: unknown) => new ServiceError('VALIDATION_ERROR', message, { field: 'folder', cause });
  if (!isStorable(folder) || folder.length > FOLDER_MAX || !isAbsolute(folder))
    throw refuse('The folder must be a whole path on the machine that runs Paydesk, such as /var/backups/paydesk.');
  const probe = join(folder, `.paydesk-probe-${process.pid}`);
  try {
    makeFolder(folder);
    writeFileSync(probe, '', { flag: 'w', mode: 0o600 });
    rmSync(probe);
  } catch (cause) {
    throw refuse('Paydesk cannot write into this folder.', cause);
  }
}
