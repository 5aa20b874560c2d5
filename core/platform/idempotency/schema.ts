import { type GuardedUpdate, table } from '#core/database';

export interface OnceRow {
  tenant_id: string;
  credential_id: string;
  key: string;
  route: string;
  fingerprint: string;
  state: 'running' | 'done';
  status: number | null;
  body: string | null;
  created_at: string;
  /** Milliseconds of the tenant's clock. */
  expires_ms: number;
}

export const ONCE_KEYS = table<OnceRow>(
  'once_keys',
  {
    tenant_id: 'text',
    credential_id: 'text',
    key: 'text',
    route: 'text',
    fingerprint: 'text',
    state: 'text',
    status: 'integer?',
    body: 'text?',
    created_at: 'text',
    expires_ms: 'integer',
  },
  {
    key: ['tenant_id', 'credential_id', 'key'],
    indexes: [{ name: 'once_keys_by_expiry', columns: ['tenant_id', 'expires_ms'] }],
  },
);

export const FINISH: GuardedUpdate<OnceRow> = {
  table: ONCE_KEYS,
  where: ['tenant_id', 'credential_id', 'key'],
  set: ['state', 'status', 'body'],
  guard: "state = 'running'",
};

/** Without an answer and with no time left, as if it had never been used. */
export const GIVE_BACK: GuardedUpdate<OnceRow> = {
  table: ONCE_KEYS,
  where: ['tenant_id', 'credential_id', 'key'],
  set: ['state', 'expires_ms'],
  guard: "state = 'running'",
};
