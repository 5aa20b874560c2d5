import { type Database, findTogether, given, listOf, lit, type Params, prepared, type Query, queriesOn, TENANT } from '#core/database';
import { HASHED_KEY_PREFIX, type IdempotencyKey } from '#core/kernel';
import { IDEMPOTENCY_KEYS, type IdempotencyKeyRow } from './schema.ts';

const queries = queriesOn(IDEMPOTENCY_KEYS);

const findBy = (name: string) =>
  queries
    .selectFrom('once_keys')
    .selectAll()
    .where('tenant_id', '=', TENANT)
    .where('credential_id', '=', given('credential'))
    .where('key', '=', given(name));

/**
 * Finds the rows of a key, stored as its hash or, by an older version, as it was sent. These are two searches, because SQLite creates a temporary table
 * for a list of values, which takes five times as long as the searches.
 */
const FIND = prepared(findBy('key').unionAll(findBy('sentKey')));
const FIND_HASHED = prepared(findBy('key'));

/** Finds a key of a credential that is not stored as its hash. The conditions are two ranges of the primary key. */
const findUnhashed = (range: '<' | '>=', limit: string) =>
  queries
    .selectFrom('once_keys')
    .select('key')
    .where('tenant_id', '=', TENANT)
    .where('credential_id', '=', given('credential'))
    .where('key', range, lit(limit))
    .limit(1);
const AFTER_HASHED = `${HASHED_KEY_PREFIX.slice(0, -1)}${String.fromCharCode(HASHED_KEY_PREFIX.charCodeAt(HASHED_KEY_PREFIX.length - 1) + 1)}`;
const UNHASHED_BEFORE = prepared(findUnhashed('<', HASHED_KEY_PREFIX));
const UNHASHED_AFTER = prepared(findUnhashed('>=', AFTER_HASHED));

/** Number of requests whose keys one statement finds. */
const LOOK_UPS_MAX = 128;

const statements = new Map<number, Query<IdempotencyKeyRow>>();

/** Returns the statement that finds a number of stored keys of one credential. */
function findMany(length: number): Query<IdempotencyKeyRow> {
  const known = statements.get(length);
  if (known !== undefined) return known;
  const keys = Array.from({ length }, (_, at) => given(`key${at}`));
  const query = prepared(
    queries
      .selectFrom('once_keys')
      .selectAll()
      .where('tenant_id', '=', TENANT)
      .where('credential_id', '=', given('credential'))
      .where('key', 'in', keys),
  );
  statements.set(length, query);
  return query;
}

interface StoredForms {
  readonly key: string;
  readonly sentKey: string;
}

/** Returns the stored forms of a key. A key that looks like a stored hash itself is searched by its hash only, so that it never finds the row of another key. */
const storedForms = ({ key, sentKey }: IdempotencyKey): StoredForms => ({
  key,
  sentKey: sentKey?.startsWith(HASHED_KEY_PREFIX) ? key : (sentKey ?? key),
});

/** Returns the row of a key among rows of its credential. The row under its hash comes first. */
const rowOf = ({ key, sentKey }: StoredForms, rows: readonly IdempotencyKeyRow[]): IdempotencyKeyRow | null =>
  rows.find((row) => row.key === key) ?? rows.find((row) => row.key === sentKey) ?? null;

interface LookUp {
  readonly tenantId: string;
  readonly credentialId: string;
  readonly forms: StoredForms;
}

/**
 * Returns the function that finds the row of a key. On PostgreSQL, the look-ups of one turn of the event loop are one statement for each credential: a
 * statement costs more than the row that it finds, and every sale looks up a key.
 */
export function createLookUp(database: Database): (tenantId: string, key: IdempotencyKey) => Promise<IdempotencyKeyRow | null> {
  const findOne = async (tenantId: string, credential: string, forms: StoredForms) =>
    rowOf(forms, await database.read(tenantId).rows(FIND, { credential, ...forms }));
  if (database.kind === 'sqlite') {
    /** Credentials whose keys are all stored as hashes. New keys are, and on SQLite no other server writes any. */
    const hashed = new Set<string>();
    const areAllHashed = async (tenantId: string, credential: string): Promise<boolean> => {
      const read = database.read(tenantId);
      for (const query of [UNHASHED_BEFORE, UNHASHED_AFTER]) if (await read.row(query, { credential })) return false;
      hashed.add(`${tenantId} ${credential}`);
      return true;
    };
    return async (tenantId, idempotencyKey) => {
      const { credentialId: credential, key } = idempotencyKey;
      if (!hashed.has(`${tenantId} ${credential}`) && !(await areAllHashed(tenantId, credential)))
        return findOne(tenantId, credential, storedForms(idempotencyKey));
      const [row = null] = await database.read(tenantId).rows(FIND_HASHED, { credential, key });
      return row;
    };
  }

  const find = findTogether<LookUp, IdempotencyKeyRow | null>({
    max: LOOK_UPS_MAX,
    groupOf: ({ tenantId, credentialId }) => `${tenantId} ${credentialId}`,
    async findAll(lookUps) {
      const [first] = lookUps;
      if (first === undefined) return [];
      const { tenantId, credentialId: credential } = first;
      if (lookUps.length === 1) return [await findOne(tenantId, credential, first.forms)];
      const keys = listOf([...new Set(lookUps.flatMap(({ forms }) => [forms.key, forms.sentKey]))]);
      const params: Params = { credential, ...Object.fromEntries(keys.map((key, at) => [`key${at}`, key])) };
      const rows = await database.read(tenantId).rows(findMany(keys.length), params);
      return lookUps.map(({ forms }) => rowOf(forms, rows));
    },
  });
  return (tenantId, key) => find({ tenantId, credentialId: key.credentialId, forms: storedForms(key) });
}
