import { type RowOf, table, text } from '#core/database';
import type { ReachState } from './steady-state.ts';

/** The state of each merchant that was published last, so that several servers and a restart publish a change only once. */
export const REACH_STATES = table(
  'reach_states',
  { tenant_id: text, merchant_id: text, state: text.of<ReachState>(), since: text, updated_at: text },
  { key: ['tenant_id', 'merchant_id'] },
);

export type ReachStateRow = RowOf<typeof REACH_STATES>;
