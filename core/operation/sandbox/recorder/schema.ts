import { integer, type RowOf, table, text } from '#core/database';
import type { Recording } from '../records.ts';

/** A recording of the requests of a sandbox tenant. At most one of a tenant is running. */
export const RECORDINGS = table(
  'recordings',
  {
    tenant_id: text,
    id: text,
    name: text,
    state: text.of<Recording['state']>(),
    /** Number of steps. */
    steps: integer,
    /** The tenant's time at the start, in milliseconds. */
    started_ms: integer,
    created_by: text,
    created_at: text,
    stopped_at: text.optional,
  },
  { key: ['tenant_id', 'id'] },
);

export type RecordingRow = RowOf<typeof RECORDINGS>;

/** A step of a recording: as it was recorded while the recording runs, and as a line of its file after it. Never a card number or secret. */
export const RECORDING_STEPS = table(
  'recording_steps',
  { tenant_id: text, recording_id: text, position: integer, step: text },
  { key: ['tenant_id', 'recording_id', 'position'] },
);
