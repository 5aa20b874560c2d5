import { integer, type RowOf, table, text } from '#core/database';

/** Requests counted in one fixed window of real time. */
export const RATE_WINDOWS = table(
  'rate_windows',
  {
    /** Empty for windows that belong to no tenant, such as those of addresses. */
    tenant_id: text,
    /** Counted subject, such as `credential/key_…`. */
    scope: text,
    length_ms: integer,
    /** Number of the window since the epoch, in units of its length. */
    at: integer,
    n: integer,
  },
  { key: ['tenant_id', 'scope', 'length_ms', 'at'] },
);

export type WindowRow = RowOf<typeof RATE_WINDOWS>;
