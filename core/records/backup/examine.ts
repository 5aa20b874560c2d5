import BetterSqlite3 from 'better-sqlite3';
import { type Database, openSqlite } from '#core/database';
import { systemClock } from '#core/kernel';
import { createAudit, entryHash } from '#core/records/audit';
import { checkBalances } from '#core/records/ledger';
import { deriveKey, installationKeyOf } from '#core/records/vault';
import { damaged } from './backup-refused.ts';
import type { Manifest } from './rows.ts';
import type { Schemas } from './schemas.ts';
import type { Files } from './sqlite-target.ts';

/** Contents of a backup after it was opened and written into files. */
export interface Findings {
  readonly createdAt: string;
  /** Last entry of each tenant's audit log. */
  readonly heads: Manifest['heads'];
  readonly rows: number;
  readonly tenants: number;
  readonly transactions: number;
  /** Entries of all audit logs. */
  readonly auditEntries: number;
  readonly isAuditValid: boolean;
  readonly isLedgerRight: boolean;
  /** Explains where an audit log is broken; null if all are valid. */
  readonly fault: string | null;
}

/** Verifies restored files: their integrity, the balance of the ledger, and that the audit logs end where the backup says. */
export async function examine(
  files: Files,
  input: { readonly manifest: Manifest; readonly rows: number; readonly masterKey: Buffer; readonly schemas: Schemas },
): Promise<Findings> {
  checkFileIntact(files.service);
  checkFileIntact(files.sandbox);
  const database = await openSqlite({ file: files.service, migrations: input.schemas.service });
  try {
    const read = database.readAcrossTenants();
    const count = async (table: string) => Number((await read.all<{ n: number }>(`SELECT count(*) AS n FROM ${table}`))[0]?.n ?? 0);
    const auditFault = await faultOfLogs(database, input.manifest, input.masterKey);
    const [ledgerFault] = await checkBalances(database);
    const ledgerWords = ledgerFault && `The ledger is not balanced: ${ledgerFault.account} of ${ledgerFault.merchantId}.`;
    return {
      createdAt: input.manifest.createdAt,
      heads: input.manifest.heads,
      rows: input.rows,
      tenants: await count('tenants'),
      transactions: await count('transactions'),
      auditEntries: await count('audit_entries'),
      isAuditValid: auditFault === null,
      isLedgerRight: ledgerFault === undefined,
      fault: auditFault ?? ledgerWords ?? null,
    };
  } finally {
    await database.close();
  }
}

function checkFileIntact(file: string): void {
  const handle = new BetterSqlite3(file, { readonly: true });
  try {
    if (handle.pragma('quick_check', { simple: true }) !== 'ok') throw damaged('its rows do not form a valid database');
  } finally {
    handle.close();
  }
}

async function faultOfLogs(database: Database, { heads }: Manifest, masterKey: Buffer): Promise<string | null> {
  const audit = createAudit(database, deriveKey(await installationKeyOf(database, masterKey), 'audit'), systemClock);
  for (const { tenant_id: tenantId, n, hash } of heads) {
    const verdict = await audit.verify(tenantId);
    if (!verdict.valid) return `The audit log of ${tenantId} is broken: ${verdict.reason}.`;
    if (verdict.entries !== n || (await entryHash(database.read(tenantId), n)) !== hash)
      return `The audit log of ${tenantId} does not end where the backup says it ended.`;
  }
  return null;
}
