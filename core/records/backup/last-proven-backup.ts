import { existsSync } from 'node:fs';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';

/**
 * Returns the newest backup on this computer whose check succeeded, as far as the file, which may be damaged, can be read; otherwise null.
 */
export function lastProvenBackup(file: string): string | null {
  let handle: BetterSqlite3.Database | undefined;
  try {
    handle = new BetterSqlite3(file, { readonly: true, fileMustExist: true });
    const backups = handle.prepare("SELECT folder, name FROM backups WHERE check_status = 'good' ORDER BY id DESC");
    for (const { folder, name } of backups.iterate() as Iterable<{ folder: string; name: string }>)
      if (existsSync(join(folder, name))) return join(folder, name);
    return null;
  } catch {
    return null;
  } finally {
    handle?.close();
  }
}
