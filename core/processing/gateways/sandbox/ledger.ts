import {
  type Database,
  integer,
  openPostgres,
  openSqlite,
  type RowOf,
  type SqliteOptions,
  table,
  text,
  UniqueViolation,
} from '#core/database';
import { SANDBOX_MIGRATIONS } from './migrations.ts';

/** One entry of the sandbox processor's ledger: a request and its result. */
export const LEDGER = table(
  'sandbox_ledger',
  {
    tenant_id: text,
    processor_ref: text,
    reference: text,
    operation: text,
    /** Original payment of a capture, void or refund. */
    original_ref: text.optional,
    amount_minor: integer,
    currency: text,
    approved: integer,
    auth_code: text.optional,
    avs_response: text.optional,
    cvv_response: text.optional,
    decline_code: text.optional,
    refund_rule: text.optional,
    last4: text.optional,
    at: text,
  },
  {
    key: ['tenant_id', 'processor_ref'],
    indexes: [
      { name: 'sandbox_ledger_by_original', columns: ['tenant_id', 'original_ref'], where: 'original_ref IS NOT NULL' },
      { name: 'sandbox_ledger_by_time', columns: ['tenant_id', 'at'] },
    ],
  },
);

export type LedgerRow = RowOf<typeof LEDGER>;

/** Modes of a tenant's gateways that differ from normal. */
export const MODES = table(
  'sandbox_modes',
  {
    tenant_id: text,
    /** ID of a gateway; empty for all gateways of the tenant. */
    gateway_id: text,
    mode: text,
  },
  { key: ['tenant_id', 'gateway_id'] },
);

/** Installation that the ledger belongs to. The table has one row, which belongs to no tenant. */
const INSTALLATION = table('sandbox_installation', { id: text.of<'current'>(), installation_id: text }, { key: ['id'] });

/** Tables of the sandbox processor. */
export const SANDBOX_TABLES = [LEDGER, MODES, INSTALLATION];

/** Returns the installation that a ledger belongs to; a ledger of none belongs to this one from now on. */
export async function installationOfLedger(ledger: Database, installationId: string): Promise<string> {
  const known = await ledger.readAcrossTenants().one(INSTALLATION, { id: 'current' });
  if (known) return known.installation_id;
  try {
    await ledger.unitOfWork.transaction(null, async (work) => {
      work.insert(INSTALLATION, { id: 'current', installation_id: installationId });
    });
    return installationId;
  } catch (error) {
    // Another server on the same database was faster.
    if (!(error instanceof UniqueViolation)) throw error;
    return installationOfLedger(ledger, installationId);
  }
}

/**
 * Opens the sandbox processor's own database. It simulates another company's computer, so it commits separately and keeps data that the service may
 * lose. On SQLite, commits are not flushed: the data must survive the process, but not a power cut.
 */
export function openSandboxLedger(
  location: Omit<SqliteOptions, 'synchronous' | 'migrations'> | { readonly url: string },
): Promise<Database> {
  const migrations = SANDBOX_MIGRATIONS;
  if ('url' in location) return openPostgres({ url: location.url, schema: 'sandbox_gateway', migrations });
  return openSqlite({ ...location, synchronous: 'NORMAL', migrations });
}
