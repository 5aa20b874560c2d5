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
import type { Canceler } from '#shared/terminals';
import type { TerminalOperation } from '../terminals.ts';
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

/** Simulated card readers. */
export const READERS = table(
  'sandbox_readers',
  {
    tenant_id: text,
    id: text,
    serial_number: text,
    /** 1 if it has power. */
    plugged: integer,
    /** 1 if it has a network. */
    connected: integer,
    /** Reference of the last payment that was started on it. */
    dialog: text.optional,
  },
  { key: ['tenant_id', 'id'] },
);

export type ReaderRow = RowOf<typeof READERS>;

/**
 * State of a dialog on a simulated reader. `decided`: the ledger has the result. `lost`: the reader lost its power, or the answer, so only the ledger tells
 * whether the card was charged. `failed`: the processor answered with an error.
 */
export const DIALOG_STATES = ['waiting', 'processing', 'decided', 'canceled', 'lost', 'failed'] as const;
type DialogState = (typeof DIALOG_STATES)[number];

/** Reasons why a simulated reader still waits after an action. */
export const READER_NOTES = ['wrong_pin', 'card_removed', 'card_unreadable', 'no_network', 'tip_too_high'] as const;

/** Payments that were started on simulated readers. */
export const DIALOGS = table(
  'sandbox_dialogs',
  {
    tenant_id: text,
    processor_ref: text,
    reader_id: text,
    merchant_id: text,
    gateway_id: text.optional,
    operation: text.of<TerminalOperation>(),
    amount_minor: integer,
    currency: text,
    state: text.of<DialogState>(),
    canceled_by: text.of<Canceler>().optional,
    wrong_pins: integer,
    /** Message on the screen of the reader while it waits. */
    note: text.of<(typeof READER_NOTES)[number]>().optional,
    /** JSON of the card that was read. */
    card: text.optional,
    /** JSON of the changes of the amount that the payment allows; null if there are none. */
    changes: text.optional,
    /** Tip that the customer chose; null before a choice. */
    tip_minor: integer.optional,
    /** Surcharge that the reader added. */
    surcharge_minor: integer.optional,
    /** Real time in milliseconds. */
    started_ms: integer,
  },
  { key: ['tenant_id', 'processor_ref'] },
);

export type DialogRow = RowOf<typeof DIALOGS>;

/** Payment pages of the sandbox processor. A payment is an entry of the ledger with the reference of its page. */
export const HOSTED_PAGES = table(
  'sandbox_hosted_pages',
  {
    tenant_id: text,
    processor_ref: text,
    /** Random token; everyone who has it can open and pay the page. */
    token: text,
    merchant_id: text,
    gateway_id: text.optional,
    amount_minor: integer,
    currency: text,
    description: text,
    company_name: text,
    /** 1 if it was closed. */
    closed: integer,
    /** Brand of the card that paid. */
    brand: text.optional,
    created_at: text,
  },
  { key: ['tenant_id', 'processor_ref'], indexes: [{ name: 'sandbox_hosted_pages_by_token', columns: ['token'] }] },
);

export type HostedPageRow = RowOf<typeof HOSTED_PAGES>;

/** Installation that the ledger belongs to. The table has one row, which belongs to no tenant. */
const INSTALLATION = table('sandbox_installation', { id: text.of<'current'>(), installation_id: text }, { key: ['id'] });

/** Tables of the sandbox processor. */
export const SANDBOX_TABLES = [LEDGER, MODES, INSTALLATION, READERS, DIALOGS, HOSTED_PAGES];

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
  location: Omit<SqliteOptions, 'synchronous' | 'migrations'> | { readonly url: string; readonly processes?: number },
): Promise<Database> {
  const migrations = SANDBOX_MIGRATIONS;
  if ('url' in location) return openPostgres({ ...location, schema: 'sandbox_gateway', migrations });
  return openSqlite({ ...location, synchronous: 'NORMAL', migrations });
}
