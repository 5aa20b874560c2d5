/** Tables that are not exported: secrets, data of the whole installation, and data derived from other tables. */
export const NOT_EXPORTED: ReadonlySet<string> = new Set([
  'sessions',
  'one_time_codes',
  'password_tokens',
  'signing_keys',
  'rate_windows',
  'master_keys',
  'data_keys',
  'owner_keys',
  'idempotency_keys',
  'card_uses',
  'audit_heads',
  'audit_blocks',
  'audit_starts',
  'chores',
  'short_links',
  'customer_words',
  'invoice_payer_names',
  'webhook_subscriptions',
  'event_heads',
  'event_counts',
  'event_starts',
  'row_counts',
  'backup_schedules',
  'backups',
  'restores',
  'archive_settings',
  'archives',
  'archived_frames',
]);

/** Columns that are never exported: secrets and keys, hashes, tokens that grant access, and marks of running work. */
const NOT_TAKEN =
  /^(sealed(_\w+)?|wrapped|credentials|key_version|page_token|short_code|hosted_url|attempt_key|lease_ms|fence|failed_logins|locked_until_ms)$|secret|hash|fingerprint|^idempotency_|^pending_(attempt|transaction|payment|index)$/;

/** Returns the columns of a table that are exported. */
export const exportedColumns = (columns: readonly string[]) => columns.filter((column) => !NOT_TAKEN.test(column));

/** Columns with the text of a message, which may contain the link of a page. */
const MESSAGE_TEXTS: ReadonlySet<string> = new Set(['subject', 'body', 'html']);
/** Token or code at the end of the address of a pay page, a card page or a short link. Everyone who has it can open the page. */
const LINK_SECRET = /(?<=\/(?:pay|card|s)\/)[\w-]{8,}/g;

/** Returns the value of a column as it is exported: texts of messages without the secrets of their links. */
export const exportedValue = (table: string, column: string, value: unknown): unknown =>
  table === 'messages' && typeof value === 'string' && MESSAGE_TEXTS.has(column) ? value.replace(LINK_SECRET, '…') : value;
