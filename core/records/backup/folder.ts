import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  realpathSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { isStorable, ServiceError } from '#core/kernel';
import { missingRoom } from './disk-space.ts';
import { isSystemFolder } from './system-folders.ts';

const NAME = /^paydesk-\d{8}T\d{6}Z(-\d+)?\.paydesk-backup(\.partial)?$/;
const FOLDER_MAX = 500;
const SAME_SECOND_MAX = 100;
/** Age after which a partial file counts as abandoned. A running backup writes continuously. */
const ABANDONED_MS = 60_000;

/** Flushes a rename in a folder to disk, so that it survives a power failure. Windows does this without a request. */
export function syncFolder(file: string): void {
  if (process.platform === 'win32') return;
  const fd = openSync(dirname(file), 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Returns the name of a new backup, which no complete or partial file of the folder has. */
export function newName(folder: string, at: Date): string {
  const stamp = at.toISOString().replace(/[-:]|\.\d+/g, '');
  for (let nth = 1; nth < SAME_SECOND_MAX; nth += 1) {
    const name = `paydesk-${stamp}${nth === 1 ? '' : `-${nth}`}.paydesk-backup`;
    if (!existsSync(join(folder, name)) && !existsSync(join(folder, `${name}.partial`))) return name;
  }
  throw new Error('too many backups in one second');
}

/** Returns true if Paydesk created the file, judged by its name. No other file is ever removed. */
export const isOurName = (name: string) => NAME.test(name);

/** Removes partial files of a process that died. */
export function removePartials(folder: string): void {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    if (!name.endsWith('.partial') || !isOurName(name)) continue;
    const path = join(folder, name);
    const writtenMs = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
    if (Date.now() - writtenMs > ABANDONED_MS) rmSync(path, { force: true });
  }
}

/**
 * Creates a folder with its parents, and adds those that it created to `created`. The recursive mode of `mkdir` does not return on file systems that
 * accept no folders.
 */
function makeFolder(folder: string, created: string[]): void {
  if (existsSync(folder)) return;
  const above = dirname(folder);
  if (above !== folder) makeFolder(above, created);
  mkdirSync(folder, { mode: 0o700 });
  created.push(folder);
}

/** Deletes folders from the deepest one up, as far as they are empty. */
function removeEmpty(folders: readonly string[]): void {
  try {
    for (const folder of folders.toReversed()) rmdirSync(folder);
  } catch {
    // A folder with files stays, and so do those above it.
  }
}

/**
 * Creates a folder for backups if it is missing, and verifies that it is not a system folder, accepts files and has room for `bytes`.
 * Returns a function that deletes what was created, if it is empty. @throws ServiceError VALIDATION_ERROR on `folder`; the message names the
 * folder and the reason.
 */
export function checkFolder(folder: string, bytes: number, use: 'backup' | 'archive' = 'backup'): () => void {
  const created: string[] = [];
  const refuse = (reason: string, cause?: unknown) => {
    removeEmpty(created);
    const message =
      use === 'backup'
        ? `The backup folder ${folder} cannot be used: ${reason}.`
        : `The archive folder ${folder} cannot be used: ${reason}.`;
    return new ServiceError('VALIDATION_ERROR', message, { field: 'folder', cause });
  };
  if (!isStorable(folder) || folder.length > FOLDER_MAX || !isAbsolute(folder))
    throw new ServiceError(
      'VALIDATION_ERROR',
      'The folder must be an absolute path on the computer that runs Paydesk, such as /var/backups/paydesk.',
      { field: 'folder' },
    );
  if (isSystemFolder(realPathOf(folder))) throw refuse('it belongs to the operating system. Choose a folder for these files only');
  const probe = join(folder, `.paydesk-probe-${process.pid}`);
  try {
    makeFolder(folder, created);
    try {
      writeFileSync(probe, 'probe', { flag: 'w', mode: 0o600 });
    } finally {
      // On a full disk an empty probe is left.
      if (existsSync(probe)) rmSync(probe);
    }
  } catch (cause) {
    throw refuse(reasonOf(cause as NodeJS.ErrnoException), cause);
  }
  const missing = missingRoom(folder, bytes);
  if (missing !== null) throw refuse(missing);
  return () => removeEmpty(created);
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'the user who runs Paydesk may not write into it',
  EPERM: 'the user who runs Paydesk may not write into it',
  EROFS: 'its disk is read-only',
  ENOSPC: 'its disk is full',
  EDQUOT: 'its disk is full',
  EEXIST: 'it, or a part of its path, is a file',
  ENOTDIR: 'it, or a part of its path, is a file',
  ENOENT: 'its disk is missing, or does not accept folders',
};

const reasonOf = ({ code = 'unknown error' }: NodeJS.ErrnoException) =>
  REASONS[code] ?? `the operating system refused to write into it (${code})`;

/** Returns the path with its existing symbolic links resolved. */
function realPathOf(folder: string): string {
  const above = dirname(folder);
  if (existsSync(folder) || above === folder) return existsSync(folder) ? realpathSync(folder) : folder;
  return join(realPathOf(above), basename(folder));
}
