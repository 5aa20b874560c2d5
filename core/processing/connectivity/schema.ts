import { table, text } from '#core/database';
import type { ConnectivityState } from './steady-state.ts';

/** The state of each merchant that was published last, so that several servers and a restart publish a change only once. */
export const CONNECTIVITY_STATES = table(
  'connectivity_states',
  { tenant_id: text, merchant_id: text, state: text.of<ConnectivityState>(), since: text, updated_at: text },
  { key: ['tenant_id', 'merchant_id'] },
);
