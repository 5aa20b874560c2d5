import BetterSqlite3 from 'better-sqlite3';
import { type Manifest, type MasterKeyColumns, PARTS, type Part, type Source, storedInstallation, tenantColumnOf } from './rows.ts';

const BLOCK = 1_000;
const BUSY_TIMEOUT_MS = 5_000;

/** Opens a file as of one moment: later commits are not visible, and the reader blocks nobody. */
function openMoment(file: string): BetterSqlite3.Database {
  const handle = new BetterSqlite3(file, { readonly: true, fileMustExist: true, timeout: BUSY_TIMEOUT_MS });
  try {
    handle.pragma('query_only = ON');
    handle.pragma('mmap_size = 0');
    handle.exec('BEGIN');
    // The first read defines the moment.
    handle.prepare('SELECT count(*) FROM sqlite_master').get();
  } catch (error) {
    handle.close();
    throw error;
  }
  return handle;
}

/**
 * Opens the files of an installation, each as of one moment. The moment of the service is taken first, because the processor may know of a
 * payment that
 * the service does not know, but never the other way round.
 */
export function openSqliteSource(files: Readonly<Record<Part, string>>): Source {
  const service = openMoment(files.service);
  let sandbox: BetterSqlite3.Database;
  try {
    sandbox = openMoment(files.sandbox);
  } catch (error) {
    service.close();
    throw error;
  }
  const parts: Readonly<Record<Part, BetterSqlite3.Database>> = { service, sandbox };
  return {
    kind: 'sqlite',
    async migrations(part) {
      return parts[part].prepare('SELECT name FROM schema_migrations ORDER BY timestamp').pluck().all() as string[];
    },
    async columns(part, table) {
      const names = parts[part].prepare('SELECT name FROM pragma_table_info(?) ORDER BY cid').pluck().all(table) as string[];
      return names.length === 0 ? null : names;
    },
    async *rows({ part, table, columns }, tenantId) {
      const names = columns.map((column) => `"${column}"`).join(', ');
      const condition = tenantId === undefined ? '' : ` WHERE ${tenantColumnOf(table)} = ?`;
      const statement = parts[part].prepare(`SELECT json_array(${names}) FROM "${table}"${condition}`).pluck();
      let block: string[] = [];
      for (const row of statement.iterate(...(tenantId === undefined ? [] : [tenantId]))) {
        block.push(row as string);
        if (block.length < BLOCK) continue;
        yield block;
        block = [];
      }
      yield block;
    },
    async heads() {
      return service.prepare('SELECT tenant_id, n, hash FROM audit_heads ORDER BY tenant_id').all() as Manifest['heads'][number][];
    },
    async installation() {
      if (service.prepare("SELECT 1 FROM sqlite_master WHERE name = 'master_keys'").get() === undefined) return null;
      return storedInstallation(service.prepare('SELECT * FROM master_keys').get() as MasterKeyColumns | undefined);
    },
    async bytes() {
      const bytesOf = (handle: BetterSqlite3.Database) =>
        handle.prepare(
          'SELECT (c.page_count - f.freelist_count) * s.page_size FROM pragma_page_count c, pragma_freelist_count f, pragma_page_size s',
        );
      return PARTS.reduce((sum, part) => sum + (bytesOf(parts[part]).pluck().get() as number), 0);
    },
    async close() {
      service.close();
      sandbox.close();
    },
  };
}
