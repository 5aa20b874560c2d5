import { type Database, integer, openPostgres, openSqlite, type RowOf, type SqliteOptions, table, text } from '#core/database';
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

/** Tables of the sandbox processor. */
export const SANDBOX_TABLES = [LEDGER, MODES];

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
