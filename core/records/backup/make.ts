import { existsSync, rmSync, statSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { keyIdOf } from '#core/records/vault';
import { BackupRefused, toBackupRefused } from './backup-refused.ts';
import { SealedWriter } from './container.ts';
import { checkRoom, estimateBackup } from './disk-space.ts';
import { syncFolder } from './folder.ts';
import { openPostgresSource } from './postgres-source.ts';
import { type Directive, type Manifest, NOT_RESTORED, PARTS, type Part, type Source } from './rows.ts';
import { openSqliteSource } from './sqlite-source.ts';

/** Location of an installation's rows. */
export type DatabaseLocation = { readonly files: Readonly<Record<Part, string>> } | { readonly url: string };

export interface MakeTask {
  readonly kind: 'make';
  readonly from: DatabaseLocation;
  readonly tables: Readonly<Record<Part, readonly string[]>>;
  readonly masterKey: Uint8Array;
  /** Path of the new file, which must not exist. */
  readonly to: string;
  readonly createdAt: string;
  readonly version: string;
}

/** Size and contents of a completed backup. */
export interface BackupResult {
  readonly bytes: number;
  readonly rows: number;
  readonly transactions: number;
  readonly tenants: number;
}

/** Name of a backup file until it is complete. */
const PARTIAL = '.partial';

export function openSource(from: DatabaseLocation): Promise<Source> | Source {
  return 'url' in from ? openPostgresSource(from.url) : openSqliteSource(from.files);
}

/**
 * Writes all data of an installation, as of one moment, into a new file, compressed and encrypted; no other form of it reaches the disk.
 * Blocks no other work. @throws BackupRefused and leaves no file.
 */
export async function make(task: MakeTask): Promise<BackupResult> {
  const partial = task.to + PARTIAL;
  let writer: SealedWriter | undefined;
  try {
    const source = await openSource(task.from);
    try {
      const installation = await source.installation();
      if (installation !== null && installation.keyId !== keyIdOf(Buffer.from(task.masterKey))) throw otherKey();
      checkRoom(dirname(task.to), estimateBackup(await source.bytes()), 'The backup');
      writer = await beginWriter(source, partial, task, installation?.installationId);
      const contents = await write(source, writer, task);
      await rename(partial, task.to);
      syncFolder(task.to);
      return { ...contents, bytes: statSync(task.to).size };
    } finally {
      await source.close();
    }
  } catch (error) {
    // If the file exists already, another process is writing it.
    if (writer !== undefined) rmSync(partial, { force: true });
    throw (error as NodeJS.ErrnoException).code === 'EEXIST'
      ? writtenByAnother(error)
      : toBackupRefused(error, 'The backup', dirname(task.to));
  }
}

function writtenByAnother(cause: unknown): BackupRefused {
  return new BackupRefused('failed', 'Another backup is being written to the same file. Try again.', cause);
}

/** Returns the error of a master key that does not belong to the rows. The backup could be opened, but its rows could not be decrypted. */
function otherKey(): BackupRefused {
  return new BackupRefused(
    'wrong-key',
    'The rows are not encrypted with the present master key. If the key was exchanged just now, try again.',
  );
}

/** Creates the file exclusively: no other process can write to it or use its name. */
async function beginWriter(source: Source, path: string, task: MakeTask, installationId?: string): Promise<SealedWriter> {
  const { createdAt, version, masterKey, to } = task;
  const schema = (await source.migrations('service')).at(-1) ?? '';
  const writer = new SealedWriter(path, Buffer.from(masterKey), { createdAt, version, database: source.kind, schema, installationId });
  if (!existsSync(to)) return writer;
  writer.close();
  rmSync(path, { force: true });
  throw writtenByAnother(undefined);
}

async function write(source: Source, writer: SealedWriter, { createdAt, tables }: MakeTask): Promise<Omit<BackupResult, 'bytes'>> {
  const writeDirective = (directive: Directive) => writer.line(JSON.stringify(directive));
  const counts = new Map<string, number>();
  try {
    const [service, sandbox] = [await source.migrations('service'), await source.migrations('sandbox')];
    const bytes = source.kind === 'sqlite' ? await source.bytes() : undefined;
    const manifest: Manifest = { createdAt, heads: await source.heads(), migrations: { service, sandbox }, bytes };
    writeDirective({ manifest });
    for (const part of PARTS) {
      for (const table of tables[part]) {
        const columns = NOT_RESTORED.has(table) ? null : await source.columns(part, table);
        if (columns === null) continue;
        const head = { part, table, columns };
        writeDirective({ begin: head });
        let rows = 0;
        for await (const block of source.rows(head)) {
          for (const row of block) writer.line(row);
          rows += block.length;
        }
        writeDirective({ end: { rows } });
        counts.set(`${part}.${table}`, rows);
      }
    }
    writer.finish();
  } finally {
    writer.close();
  }
  const rows = [...counts.values()].reduce((sum, count) => sum + count, 0);
  return { rows, transactions: counts.get('service.transactions') ?? 0, tenants: counts.get('service.tenants') ?? 0 };
}
