/** Tables that a business does not take along: secrets, what is of the whole installation, and what is made from the others. */
export const NOT_EXPORTED: ReadonlySet<string> = new Set([
  'sessions',
  'one_time_codes',
  'password_tokens',
  'signing_keys',
  'rate_windows',
  'master_keys',
  'data_keys',
  'owner_keys',
  'once_keys',
  'card_uses',
  'audit_heads',
  'chores',
  'card_number_scans',
  'short_links',
  'customer_words',
  'webhook_subscriptions',
  'backup_schedules',
  'backups',
  'restores',
]);

/** Columns that stay behind wherever they are: secrets and what opens them, hashes, addresses that let their holder in, and the marks of work under way. */
const NOT_TAKEN =
  /^(sealed|wrapped|credentials|key_version|page_token|short_code|attempt_key|lease_ms|fence|failed_logins|locked_until_ms)$|secret|hash|fingerprint|^once_|^busy_/;

/** The columns of a table that are taken along. */
export const taken = (columns: readonly string[]) => columns.filter((column) => !NOT_TAKEN.test(column));
