import { dueColumns, integer, type RowOf, table, text } from '#core/database';
import type { RealTime } from '#core/kernel';
import type { CustomerExport, ImportStatus, LineAction, SharedCards, TransferKey, UnreadableCards } from './records.ts';

/** An import of customers from another provider. Its numbers are sealed with the key of the owner of its ID, which is destroyed at its end. */
export const IMPORTS = table(
  'customer_imports',
  {
    tenant_id: text,
    id: text,
    merchant_id: text,
    /** Provider that wrote the file; null until it is recognized. */
    provider: text.optional,
    filename: text.optional,
    /** Key with which the file was encrypted; null for a plain file. */
    transfer_key_id: text.optional,
    status: text.of<ImportStatus>(),
    shared_cards: text.of<SharedCards>(),
    unreadable_cards: text.of<UnreadableCards>(),
    /** Names of the columns of a CSV file that are not read, as JSON; null while the file is read. */
    ignored_columns: text.optional,
    line_count: integer,
    /** Number of the last line that was imported. */
    cursor_n: integer,
    /** Number of lines by action as JSON: as planned, and as imported. */
    planned: text,
    results: text,
    created_by: text,
    started_by: text.optional,
    created_at: text,
    updated_at: text,
    finished_at: text.optional,
    /** Time of the next step. The lease of the request that reads the file keeps the job away until then. */
    ...dueColumns<RealTime>(),
  },
  {
    key: ['tenant_id', 'id'],
    indexes: [
      { name: 'customer_imports_by_merchant', columns: ['tenant_id', 'merchant_id', 'id'] },
      { name: 'customer_imports_due', columns: ['tenant_id', 'due_ms'], where: 'due_ms IS NOT NULL' },
    ],
  },
);

export type ImportRow = RowOf<typeof IMPORTS>;

/** A line of an import. `n` counts payment methods, so that several can have one line of the file. */
export const IMPORT_LINES = table(
  'customer_import_lines',
  {
    tenant_id: text,
    import_id: text,
    n: integer,
    line: integer,
    /** Hash of the identifier of the customer, equal within the file. */
    customer_key: text,
    fingerprint: text.optional,
    action: text.of<LineAction>(),
    reason: text.optional,
    /** Customer or line to which the action refers, such as the customer with the same card. */
    reference: text.optional,
    /** Null after the deletion of the customer, as are the next three columns. */
    name: text.optional,
    external_id: text.optional,
    brand: text.optional,
    last4: text.optional,
    /** The record as sealed JSON; null after it was imported. */
    sealed: text.optional,
    customer_id: text.optional,
    method_id: text.optional,
  },
  {
    key: ['tenant_id', 'import_id', 'n'],
    indexes: [
      { name: 'customer_import_lines_by_action', columns: ['tenant_id', 'import_id', 'action', 'n'] },
      { name: 'customer_import_lines_by_customer', columns: ['tenant_id', 'import_id', 'customer_key', 'n'] },
      {
        name: 'customer_import_lines_by_card',
        columns: ['tenant_id', 'import_id', 'fingerprint', 'n'],
        where: 'fingerprint IS NOT NULL',
      },
      {
        name: 'customer_import_lines_by_imported_customer',
        columns: ['tenant_id', 'customer_id'],
        where: 'customer_id IS NOT NULL',
      },
    ],
  },
);

/** Job that runs imports, and removes those whose file was not read to its end. */
export const IMPORT_JOB = 'customers.import';

export type ImportLineRow = RowOf<typeof IMPORT_LINES>;

/** Purpose to which the sealed record of a line is bound. */
export const lineContext = (n: number) => `import-line/${n}`;

/** A key pair for one transfer. Its private key is sealed with the key of the owner of its ID, which is destroyed with it. */
export const TRANSFER_KEYS = table(
  'transfer_keys',
  {
    tenant_id: text,
    id: text,
    name: text,
    /** Fingerprint of the OpenPGP key, in hexadecimal. */
    fingerprint: text,
    /** Public key in ASCII armor. */
    public_key: text,
    /** Private key, sealed; null after it was destroyed. */
    sealed_private: text.optional,
    created_by: text,
    created_at: text,
    expires_at: text,
    /** Time at which the private key was destroyed, and the reason: a finished import, a person, or its age. */
    destroyed_at: text.optional,
    destroyed_reason: text.of<NonNullable<TransferKey['destroyedReason']>>().optional,
  },
  { key: ['tenant_id', 'id'] },
);

export type TransferKeyRow = RowOf<typeof TRANSFER_KEYS>;

/** An export with numbers, for the recipient of an OpenPGP key. It is downloaded at most once; the file is never stored. */
export const EXPORTS = table(
  'customer_exports',
  {
    tenant_id: text,
    id: text,
    /** Merchant whose customers it has; null for the whole account. */
    merchant_id: text.optional,
    layout: text.of<CustomerExport['layout']>(),
    recipient: text,
    recipient_fingerprint: text,
    public_key: text,
    status: text.of<CustomerExport['status']>(),
    customer_count: integer,
    method_count: integer,
    /** Cards that are stored at a gateway only, so the file has no number of them; null if there were none. */
    left_out_count: integer.optional,
    created_by: text,
    created_at: text,
    expires_at: text,
    finished_at: text.optional,
  },
  { key: ['tenant_id', 'id'] },
);

export type ExportRow = RowOf<typeof EXPORTS>;
