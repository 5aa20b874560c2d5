import { type Database, given, lit, prepared, queriesOn, TENANT, UniqueViolation, type Work, type Writer } from '#core/database';
import { type Actor, type Clock, HASHED_KEY_PREFIX, type IdempotencyKey, isoTime, ServiceError, type StoredResponse } from '#core/kernel';
import { FINISH, IDEMPOTENCY_KEYS, type IdempotencyKeyRow, RELEASE } from './schema.ts';

export const TABLES = [IDEMPOTENCY_KEYS];

const KEPT_MS = 24 * 3_600_000;

/** Removed in one unit of work, so that no other waits long. */
const SWEEP_BLOCK = 500;
const queries = queriesOn(IDEMPOTENCY_KEYS);
const SWEEP = prepared(
  queries
    .deleteFrom('once_keys')
    .where('tenant_id', '=', TENANT)
    .where(({ eb, refTuple, selectFrom }) =>
      eb(
        refTuple('credential_id', 'key'),
        'in',
        selectFrom('once_keys')
          .select(['credential_id', 'key'])
          .where('tenant_id', '=', TENANT)
          .where('expires_ms', '<=', given<number>('now'))
          .where('state', '=', lit('done'))
          .limit(SWEEP_BLOCK)
          .$asTuple('credential_id', 'key'),
      ),
    ),
);

/** Row of a key, stored hashed or, by an older version, as it was sent. */
const FIND = prepared(
  queries
    .selectFrom('once_keys')
    .selectAll()
    .where('tenant_id', '=', TENANT)
    .where('credential_id', '=', given('credential'))
    .where('key', 'in', [given('key'), given('sentKey')])
    .orderBy(({ eb }) => eb.case().when('key', '=', given('key')).then(lit(0)).else(lit(1)).end())
    .limit(1),
);

/** A text that itself looks like a stored hash never finds the row of another key. */
const keysOf = ({ key, sentKey }: IdempotencyKey) => ({ key, sentKey: sentKey?.startsWith(HASHED_KEY_PREFIX) ? key : (sentKey ?? key) });

/** State of a received key. */
type KeyState =
  | { readonly kind: 'new' }
  | { readonly kind: 'running' }
  | { readonly kind: 'other-request' }
  | { readonly kind: 'done'; readonly answer: StoredResponse };

/** Identifies a key's row for the code that completes it after the request has ended. */
interface KeyName {
  readonly credentialId: string;
  readonly key: string;
  readonly route: string;
}

/** Columns in which a row remembers the key of its request. */
export interface IdempotencyColumns {
  once_credential: string | null;
  once_key: string | null;
  once_route: string | null;
}

/** The key of the caller's request, for the row that it waits for. */
export function idempotencyColumns({ idempotencyKey: once }: Pick<Actor, 'idempotencyKey'>): IdempotencyColumns {
  return { once_credential: once?.credentialId ?? null, once_key: once?.key ?? null, once_route: once?.route ?? null };
}

/** No request waits for the row any more. */
export const NO_IDEMPOTENCY_KEY: IdempotencyColumns = { once_credential: null, once_key: null, once_route: null };

/** The key that waits for a row; null where none does. */
export function keyNameOf({ once_credential: credentialId, once_key: key, once_route: route }: IdempotencyColumns): KeyName | null {
  return credentialId === null || key === null || route === null ? null : { credentialId, key, route };
}

/**
 * Keys of requests that must have their effect once (decisions 2). The operation that moves money opens the key in the unit of work of its
 * intent and finishes it with the answer in the unit of work of its result; a key without an effect is never kept.
 */
export interface IdempotencyKeys {
  /** Looks up a key before the request runs. Expired keys are removed unless their request is still running. */
  find(actor: Actor): Promise<KeyState>;
  /** Claims the key in the caller's batch or work; UniqueViolation on `once_keys` when another request has it. */
  open(into: Writer, actor: Actor): void;
  /** Keeps the answer under the claimed key in the caller's batch. */
  finish(into: Writer, tenantId: string, name: KeyName, answer: StoredResponse): void;
  /** The same inside a work. */
  finishIn(work: Work, name: KeyName, answer: StoredResponse): Promise<void>;
  /** Releases a claimed key whose response must not be replayed. */
  release(work: Work, name: KeyName): Promise<void>;
  /** The same in the caller's batch. */
  giveBack(into: Writer, tenantId: string, name: KeyName): void;
  /** Keeps the answer of a request that was refused before it had an effect, unless another one has the key by now. */
  keep(actor: Actor, answer: StoredResponse): Promise<void>;
  /** Removes the answers of a tenant that have had their time; keys whose request is still open stay. */
  sweep(tenantId: string): Promise<void>;
}

export function createIdempotencyKeys(database: Database, clockOf: (tenantId: string) => Clock): IdempotencyKeys {
  const rowOf = (actor: Actor, once: IdempotencyKey, answer: StoredResponse | null): IdempotencyKeyRow => {
    const now = clockOf(actor.tenantId).now();
    return {
      tenant_id: actor.tenantId,
      credential_id: once.credentialId,
      key: once.key,
      route: once.route,
      fingerprint: once.fingerprint,
      state: answer ? 'done' : 'running',
      status: answer?.status ?? null,
      body: answer?.body ?? null,
      created_at: isoTime(now),
      expires_ms: now + KEPT_MS,
    };
  };

  return {
    async find(actor) {
      const { idempotencyKey: once, tenantId } = actor;
      if (!once) return { kind: 'new' };
      const row = await database.read(tenantId).row(FIND, { credential: once.credentialId, ...keysOf(once) });
      if (!row) return { kind: 'new' };
      if (isOver(row, clockOf(tenantId).now())) {
        await database.unitOfWork.run(tenantId, (work) =>
          work.delete(IDEMPOTENCY_KEYS, { credential_id: row.credential_id, key: row.key, expires_ms: row.expires_ms }),
        );
        return { kind: 'new' };
      }
      if (row.fingerprint !== once.fingerprint) return { kind: 'other-request' };
      if (row.state === 'running' || row.status === null || row.body === null) return { kind: 'running' };
      return { kind: 'done', answer: { status: row.status, body: row.body } };
    },
    open(into, actor) {
      if (actor.idempotencyKey) return into.insert(IDEMPOTENCY_KEYS, rowOf(actor, actor.idempotencyKey, null));
    },
    finish(into, tenantId, name, answer) {
      into.guardedUpdate(FINISH, { tenant_id: tenantId, credential_id: name.credentialId, key: name.key, state: 'done', ...answer });
    },
    async finishIn(work, name, answer) {
      await work.update(
        IDEMPOTENCY_KEYS,
        { credential_id: name.credentialId, key: name.key, state: 'running' },
        { state: 'done', ...answer },
      );
    },
    async release(work, name) {
      await work.delete(IDEMPOTENCY_KEYS, { credential_id: name.credentialId, key: name.key, state: 'running' });
    },
    giveBack(into, tenantId, { credentialId, key }) {
      into.guardedUpdate(RELEASE, { tenant_id: tenantId, credential_id: credentialId, key, state: 'done', expires_ms: 0 });
    },
    async keep(actor, answer) {
      const { idempotencyKey: once, tenantId } = actor;
      if (!once) return;
      const where = { credential_id: once.credentialId, key: once.key };
      await database.unitOfWork.run(tenantId, async (work) => {
        const taken = await work.lockOne(IDEMPOTENCY_KEYS, where);
        if (taken && !isOver(taken, clockOf(tenantId).now())) return;
        if (taken) await work.delete(IDEMPOTENCY_KEYS, where);
        work.insert(IDEMPOTENCY_KEYS, rowOf(actor, once, answer));
      });
    },
    async sweep(tenantId) {
      let removed: number;
      do {
        removed = await database.unitOfWork.run(tenantId, (work) => work.change(SWEEP, { now: clockOf(tenantId).now() }));
      } while (removed === SWEEP_BLOCK);
    },
  };
}

/** The row of a running request stays, because the code that completes the request needs it. */
function isOver({ state, expires_ms }: IdempotencyKeyRow, nowMs: number): boolean {
  return state === 'done' && expires_ms <= nowMs;
}

/** Runs a function under the idempotency key; a request that loses the race for the key gets the error for it (decisions 2). */
export async function runOnce<Result>(claim: () => Promise<Result>): Promise<Result> {
  try {
    return await claim();
  } catch (error) {
    if (!(error instanceof UniqueViolation) || error.table !== 'once_keys') throw error;
    throw new ServiceError('RESOURCE_CONFLICT', 'A request with this Idempotency-Key is still running.', {
      details: { retryAfter: 1 },
      cause: error,
    });
  }
}
