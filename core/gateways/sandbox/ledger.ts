import { Table as Definition, type MigrationInterface, type QueryRunner } from 'typeorm';
import { type Database, openPostgres, openSqlite, table } from '#core/database';
import type { Integrity } from '#core/platform/integrity';

/** One entry of the sandbox processor's books: something it was asked, and what it answered. */
export interface LedgerRow {
  tenant_id: string;
  processor_ref: string;
  reference: string;
  operation: string;
  /** The payment that a follow-up is about. */
  original_ref: string | null;
  amount_minor: number;
  currency: string;
  approved: number;
  auth_code: string | null;
  avs_response: string | null;
  cvv_response: string | null;
  decline_code: string | null;
  refund_rule: string | null;
  last4: string | null;
  at: string;
}

export const LEDGER = table<LedgerRow>(
  'sandbox_ledger',
  {
    tenant_id: 'text',
    processor_ref: 'text',
    reference: 'text',
    operation: 'text',
    original_ref: 'text?',
    amount_minor: 'integer',
    currency: 'text',
    approved: 'integer',
    auth_code: 'text?',
    avs_response: 'text?',
    cvv_response: 'text?',
    decline_code: 'text?',
    refund_rule: 'text?',
    last4: 'text?',
    at: 'text',
  },
  {
    key: ['tenant_id', 'processor_ref'],
    indexes: [
      { name: 'sandbox_ledger_by_original', columns: ['tenant_id', 'original_ref'], where: 'original_ref IS NOT NULL' },
      { name: 'sandbox_ledger_by_time', columns: ['tenant_id', 'at'] },
    ],
  },
);

/** How a tenant's gateways behave, where it is not as usual. */
interface ModeRow {
  tenant_id: string;
  /** One of a merchant's gateways; empty for all of the tenant's. */
  gateway_id: string;
  mode: string;
}

export const MODES = table<ModeRow>(
  'sandbox_modes',
  { tenant_id: 'text', gateway_id: 'text', mode: 'text' },
  { key: ['tenant_id', 'gateway_id'] },
);

const key = (name: string) => ({ name, type: 'text', isPrimary: true });
const text = (name: string) => ({ name, type: 'text' });
const optional = (name: string) => ({ name, type: 'text', isNullable: true });
const integer = (name: string) => ({ name, type: 'bigint' });

const ledger = new Definition({
  name: 'sandbox_ledger',
  columns: [
    ...['tenant_id', 'processor_ref'].map(key),
    ...['reference', 'operation'].map(text),
    optional('original_ref'),
    integer('amount_minor'),
    text('currency'),
    integer('approved'),
    ...['auth_code', 'avs_response', 'cvv_response', 'decline_code', 'refund_rule', 'last4'].map(optional),
    text('at'),
  ],
  indices: [
    { name: 'sandbox_ledger_by_original', columnNames: ['tenant_id', 'original_ref'], where: 'original_ref IS NOT NULL' },
    { name: 'sandbox_ledger_by_time', columnNames: ['tenant_id', 'at'] },
  ],
});

/** The books of the sandbox processor. */
class SandboxLedger1763600000000 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    await run.createTable(ledger);
  }

  async down(run: QueryRunner): Promise<void> {
    await run.dropTable(ledger);
  }
}

/** Outages that are played survive a restart and hold for every server. */
class SandboxModes1763600000001 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    await run.createTable(new Definition({ name: 'sandbox_modes', columns: [key('tenant_id'), text('mode')] }));
  }

  async down(run: QueryRunner): Promise<void> {
    await run.dropTable('sandbox_modes');
  }
}

/** An outage may be that of one gateway alone, so that fail-over can be seen. */
class SandboxGatewayModes1763600000002 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    await run.dropTable('sandbox_modes');
    await run.createTable(new Definition({ name: 'sandbox_modes', columns: [...['tenant_id', 'gateway_id'].map(key), text('mode')] }));
  }

  async down(run: QueryRunner): Promise<void> {
    await run.dropTable('sandbox_modes');
    await new SandboxModes1763600000001().up(run);
  }
}

/** Every change of its schema, in the order in which they are made. */
export const SANDBOX_MIGRATIONS = [SandboxLedger1763600000000, SandboxModes1763600000001, SandboxGatewayModes1763600000002];
/** Its tables. */
export const SANDBOX_TABLES = [LEDGER, MODES];

/**
 * Opens the sandbox processor's own database: it plays another company's computer, so it commits apart from the service and keeps what the
 * service may have lost. On SQLite without a flush per commit: it has to outlive the process, not a power cut.
 */
export function openSandboxLedger(
  at: { readonly file: string; readonly integrity?: Integrity } | { readonly url: string },
): Promise<Database> {
  const shape = {
    entities: SANDBOX_TABLES.map((table) => table.entity),
    migrations: SANDBOX_MIGRATIONS,
  };
  if ('url' in at) return openPostgres({ url: at.url, schema: 'sandbox_gateway', ...shape });
  return openSqlite({ ...at, synchronous: 'NORMAL', ...shape });
}
