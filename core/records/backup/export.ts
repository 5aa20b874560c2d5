import { createWriteStream, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { toBackupRefused } from './backup-refused.ts';
import { exportedColumns, exportedValue, NOT_EXPORTED } from './export-tables.ts';
import { type DatabaseLocation, openSource } from './make.ts';
import type { Source } from './rows.ts';
import { tarEnd, tarEntry } from './tar.ts';

/** Size of a file of the archive, so that a large table is never held in memory. */
const FILE_CHARS = 4_194_304;

export interface ExportTask {
  readonly kind: 'export';
  readonly from: DatabaseLocation;
  readonly tables: readonly string[];
  readonly tenantId: string;
  readonly to: string;
  readonly createdAt: string;
  readonly version: string;
}

/** Summary of an archive written for a tenant. */
export interface ExportResult {
  /** Rows by table. */
  readonly counts: Readonly<Record<string, number>>;
}

/**
 * Writes the data of a tenant, as of one moment, as a tar.gz of JSON Lines: one folder per table, and a manifest at the end. Tokens are
 * included; card numbers, secrets, secret links and hashes are not. @throws BackupRefused and leaves no file.
 */
export async function exportTenant(task: ExportTask): Promise<ExportResult> {
  const counts: Record<string, number> = {};
  try {
    const source = await openSource(task.from);
    try {
      const entries = Readable.from(archive(source, task, counts));
      await pipeline(entries, createGzip({ level: 6 }), createWriteStream(task.to, { flags: 'wx', mode: 0o600 }));
    } finally {
      await source.close();
    }
  } catch (error) {
    const refused = toBackupRefused(error, 'The export', dirname(task.to));
    rmSync(task.to, { force: true });
    throw refused;
  }
  return { counts };
}

async function* archive(source: Source, task: ExportTask, counts: Record<string, number>): AsyncGenerator<Buffer> {
  const modifiedAt = new Date(task.createdAt);
  const columnsOf: Record<string, readonly string[]> = {};
  for (const table of task.tables) {
    const all = NOT_EXPORTED.has(table) ? null : await source.columns('service', table);
    if (all === null) continue;
    const columns = exportedColumns(all);
    columnsOf[table] = columns;
    let lines: string[] = [];
    let chars = 0;
    let rows = 0;
    let files = 0;
    const file = () => {
      files += 1;
      const entry = tarEntry(`${table}/${String(files).padStart(5, '0')}.jsonl`, Buffer.from(lines.join('')), modifiedAt);
      lines = [];
      chars = 0;
      return entry;
    };
    for await (const block of source.rows({ part: 'service', table, columns }, task.tenantId)) {
      for (const row of block) {
        const values = JSON.parse(row) as unknown[];
        const line = `${JSON.stringify(Object.fromEntries(columns.map((column, index) => [column, exportedValue(table, column, values[index])])))}\n`;
        lines.push(line);
        chars += line.length;
        rows += 1;
        if (chars >= FILE_CHARS) yield file();
      }
    }
    if (lines.length > 0) yield file();
    counts[table] = rows;
  }
  const { tenantId, createdAt, version } = task;
  const tables = Object.entries(columnsOf).map(([name, columns]) => ({ name, rows: counts[name] ?? 0, columns }));
  const manifest = { tenantId, createdAt, version, amounts: 'columns that end in _minor are minor units of the row’s currency', tables };
  yield tarEntry('manifest.json', Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`), modifiedAt);
  yield tarEnd();
}
