import { access, constants, statfs } from 'node:fs/promises';
import type { Database } from '#core/database';
import { sizeText } from '#shared/size-text';
import type { StatusServer } from './dependencies.ts';
import { fact, item } from './item.ts';
import type { StatusItem } from './records.ts';

const MEGABYTE = 1_000_000;
const LOW_BYTES = 500 * MEGABYTE;
const WARNING_BYTES = 2_000 * MEGABYTE;

/** State of the disk: `low` before writes fail, `full` while they fail; `read-only` if no file can be created in the data directory. */
type DiskStatus = 'ok' | 'low' | 'full' | 'unreadable' | 'read-only';

export interface DiskState {
  readonly status: DiskStatus;
  readonly message: string;
  /** Null if the file system cannot be read. */
  readonly freeBytes: number | null;
  readonly totalBytes: number | null;
}

/**
 * Returns the state of the disk that has the data directory. A failed write counts until a write succeeds or, where the database file is on
 * this
 * disk, until the disk has room again.
 */
export async function diskState(database: Database, dataDir: string): Promise<DiskState> {
  const { isDiskFull } = database.health();
  let freeBytes: number | null = null;
  let totalBytes: number | null = null;
  let reason = '';
  try {
    const { bsize, bavail, blocks } = await statfs(dataDir);
    [freeBytes, totalBytes] = [bsize * bavail, bsize * blocks];
  } catch (cause) {
    reason = (cause as NodeJS.ErrnoException).code ?? 'unknown error';
  }
  const stateOf = (status: DiskStatus, message: string): DiskState => ({ status, message, freeBytes, totalBytes });
  if (isDiskFull && database.kind === 'postgres')
    return stateOf('full', 'The disk of the database server is full, so payments and other changes fail. Make room on that disk.');
  if (freeBytes === null) return stateOf('unreadable', `The disk with the data directory cannot be read (${reason}).`);
  const isWritable = await access(dataDir, constants.W_OK).then(
    () => true,
    () => false,
  );
  if (!isWritable)
    return stateOf(
      'read-only',
      `The data directory ${dataDir} can only be read, so backups and changes fail. Allow the user who runs Paydesk to write this folder.`,
    );
  if (freeBytes >= LOW_BYTES) return stateOf('ok', `${sizeText(freeBytes)} are free.`);
  if (isDiskFull)
    return stateOf('full', 'The disk is full, so payments and other changes fail. Make room on the disk with the data directory.');
  return stateOf('low', `Only ${sizeText(freeBytes)} are free on the disk with the data directory. Make room before payments fail.`);
}

export async function diskItem(database: Database, { dataDir }: StatusServer): Promise<StatusItem> {
  const { status, message, freeBytes, totalBytes } = await diskState(database, dataDir);
  const facts = [
    ...(freeBytes === null || totalBytes === null ? [] : [fact('Free', sizeText(freeBytes)), fact('Total', sizeText(totalBytes))]),
    fact('Folder', dataDir),
  ];
  if (status !== 'ok') return item('disk', { state: 'problem', message }, facts);
  if (freeBytes === null || freeBytes >= WARNING_BYTES) return item('disk', { message }, facts);
  return item('disk', { state: 'warning', message: `Only ${message} Make room on the disk with the data directory.` }, facts);
}
