import { table } from '#core/database';

/** Requests counted in one fixed window of real time. */
export interface WindowRow {
  /** Empty for windows that belong to no tenant, such as those of addresses. */
  tenant_id: string;
  /** What is counted, such as `credential/key_…`. */
  scope: string;
  length_ms: number;
  /** Number of the window since the epoch, in its own length. */
  at: number;
  n: number;
}

export const RATE_WINDOWS = table<WindowRow>(
  'rate_windows',
  { tenant_id: 'text', scope: 'text', length_ms: 'integer', at: 'integer', n: 'integer' },
  { key: ['tenant_id', 'scope', 'length_ms', 'at'] },
);
