import { type GuardedUpdate, integer, type RowOf, table, text } from '#core/database';

export const IDEMPOTENCY_KEYS = table(
  'idempotency_keys',
  {
    tenant_id: text,
    credential_id: text,
    key: text,
    route: text,
    fingerprint: text,
    /** `running`: claimed by an operation, which completes or releases the key; `claimed`: claimed by the server around an operation. */
    state: text.of<'running' | 'claimed' | 'done'>(),
    status: integer.optional,
    body: text.optional,
    /** In real time, because requests run in real time. */
    created_at: text,
    /** Milliseconds of the tenant's clock. */
    expires_ms: integer,
  },
  {
    key: ['tenant_id', 'credential_id', 'key'],
    indexes: [
      { name: 'idempotency_keys_by_expiry', columns: ['tenant_id', 'expires_ms'] },
      { name: 'idempotency_keys_running', columns: ['tenant_id', 'created_at'], where: "state = 'running'" },
    ],
  },
);

export type IdempotencyKeyRow = RowOf<typeof IDEMPOTENCY_KEYS>;

export const COMPLETE_KEY: GuardedUpdate<IdempotencyKeyRow> = {
  table: IDEMPOTENCY_KEYS,
  where: ['tenant_id', 'credential_id', 'key'],
  set: ['state', 'status', 'body'],
  guard: "state = 'running'",
};

/** Marks a key as done and expired without a response, as if it had never been used. */
export const RELEASE_KEY: GuardedUpdate<IdempotencyKeyRow> = {
  table: IDEMPOTENCY_KEYS,
  where: ['tenant_id', 'credential_id', 'key'],
  set: ['state', 'expires_ms'],
  guard: "state = 'running'",
};
