import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { BACKED_UP } from '#core';
import { MixedInstallation } from '#core/database/integrity';
import { type ErrorCode, ServiceError } from '#core/kernel';
import { count, flag, text, time } from '#core/platform/fields';
import {
  abandonRestore,
  BackupRefused,
  checkNoInstallation,
  type Findings,
  filesIn,
  finishRestore,
  RECEIVED,
  type Refusal,
  type RunTask,
  readHeader,
} from '#core/records/backup';
import { type KeyStore, lockOf } from '#core/records/vault';
import { keepKnownFields, type Route, route, Success } from '#server/http';
import { keyFileOf } from '../installation-parts.ts';
import { givenKey } from './given-key.ts';

/** Size limit of an upload; a larger backup than the disk can hold fails with a disk error. */
const BACKUP_BYTES_MAX = 2 ** 42;
const KEY_BYTES_MAX = 20_000;
const FIELD_OF: Readonly<Partial<Record<Refusal, string>>> = {
  'wrong-key': 'key',
  'not-empty': 'databaseUrl',
  'not-a-backup': 'backup',
  damaged: 'backup',
  'too-new': 'backup',
};
const CODE_OF: Readonly<Partial<Record<Refusal, ErrorCode>>> = {
  'not-empty': 'RESOURCE_CONFLICT',
  'disk-full': 'DATABASE_ERROR',
  'database-damaged': 'SERVICE_UNAVAILABLE',
  failed: 'INTERNAL_ERROR',
};

/** Translates a BackupRefused into a service error. */
export function asServiceError(error: unknown): unknown {
  if (!(error instanceof BackupRefused)) return error;
  const { reason, message } = error;
  return new ServiceError(CODE_OF[reason] ?? 'VALIDATION_ERROR', message, { field: FIELD_OF[reason], details: { reason }, cause: error });
}

/** A backup to restore, its key and the target database. */
interface RestoreRequest {
  readonly file: string;
  readonly masterKey: Buffer;
  readonly databaseUrl?: string;
}

/**
 * Restores a backup completely or not at all. Its key is stored beside the present key until the data is in place; then only the key of the
 * data is kept. `closeFiles` closes the files of the data directory before they are replaced. @throws BackupRefused.
 */
export async function restoreInto(
  { file, masterKey, databaseUrl }: RestoreRequest,
  target: { dataDir: string; keyStore: KeyStore; run: RunTask; closeFiles?: () => Promise<void> },
): Promise<Findings> {
  const { dataDir, keyStore, run, closeFiles } = target;
  if (databaseUrl === undefined) checkNoInstallation(dataDir);
  const [previousKey] = await keyStore.keys();
  await checkSameInstallation(file, keyStore);
  if (!previousKey?.equals(masterKey)) await keyStore.storeNext(masterKey);
  try {
    const tables = [...BACKED_UP.service, ...BACKED_UP.sandbox];
    const findings = await run({ kind: 'restore', file, masterKey, dataDir, databaseUrl, tables });
    await closeFiles?.();
    finishRestore(dataDir);
    await keyStore.keepOnly(masterKey);
    return findings;
  } catch (error) {
    abandonRestore(dataDir);
    const usesRestoredKey = await lockOf(databaseUrl === undefined ? { file: filesIn(dataDir).service } : { url: databaseUrl }).then(
      (lock) => lock?.opensWith(masterKey) ?? false,
      // The outcome is unknown. Both keys stay, and the next start selects the right one.
      () => true,
    );
    if (!usesRestoredKey) await (previousKey ? keyStore.keepOnly(previousKey) : keyStore.discardNext?.());
    throw error;
  }
}

/**
 * Checks that the key of the workstation, which the key of the backup replaces, does not belong to another installation. @throws
 * MixedInstallation.
 */
async function checkSameInstallation(file: string, keyStore: KeyStore): Promise<void> {
  const { installationId } = readHeader(file);
  const mark = await keyStore.installation();
  if (mark === null || installationId === undefined || mark.installationId === installationId) return;
  throw new MixedInstallation({ name: basename(file), installationId }, { name: keyFileOf(keyStore), installationId: mark.installationId });
}

/** Operations with which the first run restores a backup. */
export interface RestorePort {
  readonly dataDir: string;
  isSetUp(): Promise<boolean>;
  /** Restores into an empty installation and continues with it. @throws BackupRefused; nothing is changed then. */
  restore(request: RestoreRequest): Promise<Findings>;
}

interface Received {
  readonly file: string;
  readonly fields: Readonly<Record<string, string>>;
}

const FIELDS = Type.Object({
  key: text('text of the master key file or of the recovery file, or the file itself', '3f9ac1d2e4b57086…'),
  passphrase: Type.Optional(Type.String({ description: 'opens the recovery file' })),
  databaseUrl: Type.Optional(Type.String({ description: 'an empty PostgreSQL database; without it SQLite in the data directory' })),
});

/** Declares the route to restore a backup instead of the first run. It responds with 404 after the setup. */
export function restoreRoute(port: RestorePort, inSequence: <T>(work: () => Promise<T>) => Promise<T>): Route {
  const refuseIfSetUp = async () => {
    if (await port.isSetUp()) throw new ServiceError('NOT_FOUND', 'Paydesk is set up already.');
  };
  return route({
    surface: 'open',
    method: 'POST',
    path: '/setup/restore',
    id: 'setup.restore',
    tag: 'Setup',
    beforeSetUp: true,
    summary: 'Restore a backup instead of setting up',
    description:
      'Takes a backup and its key. The data is put in place only after the whole backup was read: with a wrong key or a damaged file nothing is changed. Automatic charges are on hold until an owner resumes them.',
    upload: { file: 'backup', bytesMax: BACKUP_BYTES_MAX, fields: FIELDS },
    response: Success(
      Type.Object({
        createdAt: time('Time of the backup'),
        tenants: count('Number of tenants', 1),
        transactions: count('Number of transactions', 5120),
        auditEntries: count('Number of audit entries', 12480),
        isAuditValid: flag('true if the audit log is unchanged', true),
        isLedgerRight: flag('true if the ledger matches the records', true),
      }),
    ),
    errors: ['NOT_FOUND', 'RESOURCE_CONFLICT'],
    run: async ({ request }) => {
      await refuseIfSetUp();
      const { file, fields } = await receive(request, port.dataDir);
      try {
        if (!fields.key) throw new ServiceError('REQUIRED_FIELD_MISSING', '`key` is required.', { field: 'key' });
        const masterKey = await givenKey(fields.key, fields.passphrase);
        const databaseUrl = fields.databaseUrl || undefined;
        return await inSequence(async () => {
          await refuseIfSetUp();
          return port.restore({ file, masterKey, databaseUrl });
        });
      } catch (error) {
        throw asServiceError(error);
      } finally {
        await rm(file, { force: true });
      }
    },
  });
}

/** Receives the form; the backup is written to disk as it arrives. */
async function receive(request: FastifyRequest, dataDir: string): Promise<Received> {
  if (typeof request.isMultipart !== 'function' || !request.isMultipart())
    throw new ServiceError('VALIDATION_ERROR', 'Send the form as multipart/form-data.', { field: 'Content-Type' });
  request.bodyDeadline?.extendForUpload();
  const file = join(dataDir, `${RECEIVED}${randomUUID()}`);
  const fields: Record<string, string> = {};
  let hasBackup = false;
  try {
    for await (const part of request.parts()) {
      if (part.type !== 'file') fields[part.fieldname] = String(part.value);
      else if (part.fieldname === 'backup' && !hasBackup) {
        hasBackup = true;
        await pipeline(part.file, createWriteStream(file, { flags: 'wx', mode: 0o600 }));
      } else fields[part.fieldname] = await textOf(part.file, part.fieldname);
    }
    if (!hasBackup) throw new ServiceError('REQUIRED_FIELD_MISSING', '`backup` is required.', { field: 'backup' });
    keepKnownFields(request, { method: 'POST', response: Type.Unknown(), body: FIELDS }, fields);
    return { file, fields };
  } catch (error) {
    await rm(file, { force: true });
    const isFull = (error as NodeJS.ErrnoException).code === 'ENOSPC';
    throw isFull ? new ServiceError('DATABASE_ERROR', 'The disk is full. The backup was not stored.', { cause: error }) : error;
  }
}

async function textOf(content: AsyncIterable<Buffer>, field: string): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of content) {
    bytes += chunk.length;
    if (bytes > KEY_BYTES_MAX) throw new ServiceError('VALIDATION_ERROR', `\`${field}\` is too large.`, { field, status: 413 });
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
