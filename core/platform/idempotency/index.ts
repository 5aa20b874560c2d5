import {
  type Database,
  given,
  isUnconfirmed,
  lit,
  prepared,
  queriesOn,
  TENANT,
  UniqueViolation,
  type Work,
  type Writer,
} from '#core/database';
import { type Actor, type Clock, type IdempotencyKey, isoTime, type Secrets, ServiceError, type StoredResponse } from '#core/kernel';
import { createLookUp } from './look-ups.ts';
import { COMPLETE_KEY, IDEMPOTENCY_KEYS, type IdempotencyKeyRow, RELEASE_KEY } from './schema.ts';

export const TABLES = [IDEMPOTENCY_KEYS];

const RESPONSE_LIFETIME_MS = 24 * 3_600_000;
/** Time after which a request around which the server claimed a key is not running any more. */
const REQUEST_MAX_MS = 600_000;
/** Purpose of the encryption of stored responses. */
const PURPOSE = 'idempotent-response';
/** Prefix of a stored body that is encrypted. */
const SEALED = 'sealed:';

/** Number of rows that one unit of work deletes, so that others do not wait long. */
const DELETE_BLOCK_ROWS = 500;
const queries = queriesOn(IDEMPOTENCY_KEYS);
const DELETE_EXPIRED = prepared(
  queries
    .deleteFrom('idempotency_keys')
    .where('tenant_id', '=', TENANT)
    .where(({ eb, refTuple, selectFrom }) =>
      eb(
        refTuple('credential_id', 'key'),
        'in',
        selectFrom('idempotency_keys')
          .select(['credential_id', 'key'])
          .where('tenant_id', '=', TENANT)
          .where('expires_ms', '<=', given<number>('now'))
          .where('state', '!=', lit('running'))
          .limit(DELETE_BLOCK_ROWS)
          .$asTuple('credential_id', 'key'),
      ),
    ),
);

const RUNNING = prepared(
  queries
    .selectFrom('idempotency_keys')
    .select(({ fn }) => ['route', fn.countAll().as('n'), fn.min('created_at').as('oldest')])
    .where('tenant_id', '=', TENANT)
    .where('state', '=', lit('running'))
    .where('created_at', '<', given<string>('before'))
    .groupBy('route')
    .orderBy('route'),
);

/** Requests of one route that have run for longer than a time. */
interface RunningRequests {
  readonly route: string;
  readonly count: number;
  readonly oldestAt: string;
}

/** State of a received key. */
type KeyState =
  | { readonly kind: 'new' }
  | { readonly kind: 'running' }
  /** The server was stopped while it ran the request around which it had claimed the key. */
  | { readonly kind: 'interrupted' }
  | { readonly kind: 'other-request' }
  | { readonly kind: 'done'; readonly response: StoredResponse };

/** Identifies a key's row for the code that completes it after the request has ended. */
interface KeyName {
  readonly credentialId: string;
  readonly key: string;
  readonly route: string;
}

/** Columns of a row for the idempotency key of its request. */
interface IdempotencyColumns {
  idempotency_credential: string | null;
  idempotency_key: string | null;
  idempotency_route: string | null;
}

/** Returns the idempotency columns of a row that the caller's request creates. */
export function idempotencyColumns({ idempotencyKey }: Pick<Actor, 'idempotencyKey'>): IdempotencyColumns {
  return {
    idempotency_credential: idempotencyKey?.credentialId ?? null,
    idempotency_key: idempotencyKey?.key ?? null,
    idempotency_route: idempotencyKey?.route ?? null,
  };
}

/** Idempotency columns of a row for which no request waits. */
export const NO_IDEMPOTENCY_KEY: IdempotencyColumns = { idempotency_credential: null, idempotency_key: null, idempotency_route: null };

/** Returns the key of the request that waits for a row; null if there is none. */
export function keyNameOf({
  idempotency_credential: credentialId,
  idempotency_key: key,
  idempotency_route: route,
}: IdempotencyColumns): KeyName | null {
  return credentialId === null || key === null || route === null ? null : { credentialId, key, route };
}

/**
 * Idempotency keys of requests. An operation that moves money claims the key in the unit of work of its intent, and completes it with
 * the response in the unit of work of its result. A key whose request had no effect is released.
 */
export interface IdempotencyKeys {
  /** Looks up a key before the request runs. Expired keys are removed unless their request is still running. */
  find(actor: Actor): Promise<KeyState>;
  /** Claims the key in the caller's batch or unit of work. @throws UniqueViolation on `idempotency_keys` if another request has claimed it. */
  claim(writer: Writer, actor: Actor): void;
  /** Stores the response under the claimed key, in the caller's batch. */
  complete(writer: Writer, tenantId: string, name: KeyName, response: StoredResponse): void;
  /** Same as `complete()`, inside a unit of work. A response with a secret that is shown once is encrypted. */
  completeInWork(work: Work, name: KeyName, response: StoredResponse, options?: { readonly isSecret: boolean }): Promise<void>;
  /** Same as `release()`, inside a unit of work. */
  releaseInWork(work: Work, name: KeyName): Promise<void>;
  /** Releases a claimed key whose response must not be replayed, in the caller's batch. */
  release(writer: Writer, tenantId: string, name: KeyName): void;
  /**
   * Stores the response of a request that was refused before it had an effect, unless another request has claimed the key in the meantime. A response that
   * may contain a secret is encrypted.
   */
  storeResponse(actor: Actor, response: StoredResponse, options?: { readonly isSecret: boolean }): Promise<void>;
  /**
   * Claims the key in its own commit, runs an operation that knows nothing of keys, and stores its response. The response is encrypted, because it may
   * contain a secret that is shown once. If the operation fails, the key is released, unless its commit was not confirmed. Without a key, the operation just runs. @throws ServiceError RESOURCE_CONFLICT if another request has claimed
   * the key.
   */
  runOnce(actor: Actor, run: (actor: Actor) => Promise<StoredResponse>): Promise<StoredResponse>;
  /** Counts the keys that operations claimed longer ago and have not completed, by route. Normally there are none after a minute. */
  running(tenantId: string, longerThanMs: number): Promise<readonly RunningRequests[]>;
  /** Deletes expired responses of a tenant. Keys of running requests stay. */
  cleanUp(tenantId: string): Promise<void>;
}

export function createIdempotencyKeys(database: Database, clockOf: (tenantId: string) => Clock, secrets: Secrets): IdempotencyKeys {
  const lookUp = createLookUp(database);
  /** Keys around which this server runs a request at present. */
  const runningHere = new Set<string>();
  const nameOf = (tenantId: string, { credentialId, key }: Pick<IdempotencyKey, 'credentialId' | 'key'>) =>
    JSON.stringify([tenantId, credentialId, key]);
  /**
   * Returns true if the server that claimed a key has ended. On SQLite, no other server runs requests. A request of this server may have ended since
   * its row was read, so that the row is read again.
   */
  const isInterrupted = async (tenantId: string, key: IdempotencyKey, row: IdempotencyKeyRow): Promise<boolean> => {
    if (database.kind !== 'sqlite') return Date.now() - Date.parse(row.created_at) > REQUEST_MAX_MS;
    const isRunning = () => runningHere.has(nameOf(tenantId, key));
    if (isRunning()) return false;
    const present = await lookUp(tenantId, key);
    return present?.state === 'claimed' && present.created_at === row.created_at && !isRunning();
  };
  const newRow = (actor: Actor, idempotencyKey: IdempotencyKey, response: StoredResponse | null): IdempotencyKeyRow => {
    const now = clockOf(actor.tenantId).now();
    return {
      tenant_id: actor.tenantId,
      credential_id: idempotencyKey.credentialId,
      key: idempotencyKey.key,
      route: idempotencyKey.route,
      fingerprint: idempotencyKey.fingerprint,
      state: response ? 'done' : 'running',
      status: response?.status ?? null,
      body: response?.body ?? null,
      created_at: isoTime(Date.now()),
      expires_ms: now + RESPONSE_LIFETIME_MS,
    };
  };

  const sealed = async (tenantId: string, { status, body }: StoredResponse): Promise<StoredResponse> => ({
    status,
    body: `${SEALED}${await secrets.seal(tenantId, PURPOSE, body)}`,
  });

  return {
    async find(actor) {
      const { idempotencyKey, tenantId } = actor;
      if (!idempotencyKey) return { kind: 'new' };
      const row = await lookUp(tenantId, idempotencyKey);
      if (!row) return { kind: 'new' };
      if (isExpired(row, clockOf(tenantId).now())) {
        await database.unitOfWork.transaction(tenantId, (work) =>
          work.delete(IDEMPOTENCY_KEYS, { credential_id: row.credential_id, key: row.key, expires_ms: row.expires_ms }),
        );
        return { kind: 'new' };
      }
      if (row.fingerprint !== idempotencyKey.fingerprint) return { kind: 'other-request' };
      if (row.state === 'claimed') return { kind: (await isInterrupted(tenantId, idempotencyKey, row)) ? 'interrupted' : 'running' };
      if (row.state === 'running' || row.status === null || row.body === null) return { kind: 'running' };
      const body = isSealed(row.body) ? await secrets.open(tenantId, PURPOSE, row.body.slice(SEALED.length)) : row.body;
      return { kind: 'done', response: { status: row.status, body } };
    },
    claim(writer, actor) {
      if (actor.idempotencyKey) return writer.insert(IDEMPOTENCY_KEYS, newRow(actor, actor.idempotencyKey, null));
    },
    complete(writer, tenantId, name, response) {
      writer.guardedUpdate(COMPLETE_KEY, {
        tenant_id: tenantId,
        credential_id: name.credentialId,
        key: name.key,
        state: 'done',
        ...response,
      });
    },
    async completeInWork(work, name, given, options) {
      const response = options?.isSecret ? await sealed(work.tenantId as string, given) : given;
      await work.update(
        IDEMPOTENCY_KEYS,
        { credential_id: name.credentialId, key: name.key, state: 'running' },
        { state: 'done', ...response },
      );
    },
    async releaseInWork(work, name) {
      await work.delete(IDEMPOTENCY_KEYS, { credential_id: name.credentialId, key: name.key, state: 'running' });
    },
    release(writer, tenantId, { credentialId, key }) {
      writer.guardedUpdate(RELEASE_KEY, { tenant_id: tenantId, credential_id: credentialId, key, state: 'done', expires_ms: 0 });
    },
    async storeResponse(actor, given, options) {
      const { idempotencyKey, tenantId } = actor;
      if (!idempotencyKey) return;
      const response = options?.isSecret ? await sealed(tenantId, given) : given;
      const where = { credential_id: idempotencyKey.credentialId, key: idempotencyKey.key };
      await database.unitOfWork.transaction(tenantId, async (work) => {
        const existing = await work.lockOne(IDEMPOTENCY_KEYS, where);
        if (existing && !isExpired(existing, clockOf(tenantId).now())) return;
        if (existing) await work.delete(IDEMPOTENCY_KEYS, where);
        work.insert(IDEMPOTENCY_KEYS, newRow(actor, idempotencyKey, response));
      });
    },
    async runOnce(actor, run) {
      const { idempotencyKey, tenantId } = actor;
      if (idempotencyKey === null) return run(actor);
      const where = { credential_id: idempotencyKey.credentialId, key: idempotencyKey.key, state: 'claimed' } as const;
      const claim = { ...newRow(actor, idempotencyKey, null), state: 'claimed' } as const;
      const name = nameOf(tenantId, idempotencyKey);
      if (runningHere.has(name)) throw stillRunning();
      runningHere.add(name);
      try {
        await withClaimedKey(() => database.unitOfWork.transaction(tenantId, async (work) => work.insert(IDEMPOTENCY_KEYS, claim)));
        let response: StoredResponse;
        try {
          response = await run({ ...actor, idempotencyKey: null });
        } catch (error) {
          // A repetition of a commit that may have been carried out could carry it out twice.
          if (!isUnconfirmed(error)) await database.unitOfWork.transaction(tenantId, (work) => work.delete(IDEMPOTENCY_KEYS, where));
          throw error;
        }
        const { body } = await sealed(tenantId, response);
        // The operation may have moved the clock of the tenant.
        const done = { state: 'done', status: response.status, body, expires_ms: clockOf(tenantId).now() + RESPONSE_LIFETIME_MS } as const;
        await database.unitOfWork.transaction(tenantId, (work) => work.update(IDEMPOTENCY_KEYS, where, done));
        return response;
      } finally {
        runningHere.delete(name);
      }
    },
    async running(tenantId, longerThanMs) {
      const found = await database.read(tenantId).rows(RUNNING, { before: isoTime(Date.now() - longerThanMs) });
      return found.map(({ route, n, oldest }) => ({ route, count: Number(n), oldestAt: oldest }));
    },
    async cleanUp(tenantId) {
      let removed: number;
      do {
        removed = await database.unitOfWork.transaction(tenantId, (work) => work.execute(DELETE_EXPIRED, { now: clockOf(tenantId).now() }));
      } while (removed === DELETE_BLOCK_ROWS);
    },
  };
}

/** The row of a running operation stays, because the code that completes the operation needs it. */
function isExpired({ state, expires_ms }: IdempotencyKeyRow, nowMs: number): boolean {
  return state !== 'running' && expires_ms <= nowMs;
}

const isSealed = (body: string) => body.startsWith(SEALED);

/** Runs a function that claims an idempotency key. @throws ServiceError RESOURCE_CONFLICT if another request has claimed it. */
export async function withClaimedKey<Result>(claim: () => Promise<Result>): Promise<Result> {
  try {
    return await claim();
  } catch (error) {
    if (!(error instanceof UniqueViolation) || error.table !== 'idempotency_keys') throw error;
    throw stillRunning(error);
  }
}

const stillRunning = (cause?: unknown) =>
  new ServiceError('RESOURCE_CONFLICT', 'A request with this Idempotency-Key is still running.', { details: { retryAfter: 1 }, cause });

/** Dependencies of operations whose whole effect is one unit of work. */
export interface IdempotentDependencies<Ending> {
  readonly database: Database;
  readonly idempotencyKeys: IdempotencyKeys;
  /** Returns the response body of a route, as an idempotency key stores it. */
  readonly renderResponse: (route: string, ending: Ending) => StoredResponse;
}

/**
 * Runs a unit of work that is the whole effect of a request. The idempotency key is claimed, and its response stored, in the same unit of work. A response with
 * a secret that is shown once is encrypted. @throws ServiceError RESOURCE_CONFLICT if another request has claimed the key.
 */
export function runIdempotent<Ending>(
  deps: IdempotentDependencies<Ending>,
  actor: Actor,
  carryOut: (work: Work) => Promise<Ending>,
  hasSecret: (ending: Ending) => boolean = () => false,
): Promise<Ending> {
  return withClaimedKey(() =>
    deps.database.unitOfWork.transaction(actor.tenantId, async (work) => {
      deps.idempotencyKeys.claim(work, actor);
      const ending = await carryOut(work);
      const name = actor.idempotencyKey;
      if (name) {
        const response = deps.renderResponse(name.route, ending);
        await deps.idempotencyKeys.completeInWork(work, name, response, { isSecret: hasSecret(ending) });
      }
      return ending;
    }),
  );
}
