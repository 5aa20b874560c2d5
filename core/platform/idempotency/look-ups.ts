import { type Database, findTogether, given, listOf, prepared, type Query, queriesOn, TENANT } from '#core/database';
import type { IdempotencyKey } from '#core/kernel';
import { IDEMPOTENCY_KEYS, type IdempotencyKeyRow } from './schema.ts';

const keysOfCredential = () =>
  queriesOn(IDEMPOTENCY_KEYS)
    .selectFrom('idempotency_keys')
    .selectAll()
    .where('tenant_id', '=', TENANT)
    .where('credential_id', '=', given('credential'));

const FIND = prepared(keysOfCredential().where('key', '=', given('key')));

/** Number of requests whose keys one statement finds. */
const LOOK_UPS_MAX = 128;

const statements = new Map<number, Query<IdempotencyKeyRow>>();

/** Returns the statement that finds a number of stored keys of one credential. */
function findMany(length: number): Query<IdempotencyKeyRow> {
  const known = statements.get(length);
  if (known !== undefined) return known;
  const keys = Array.from({ length }, (_, at) => given(`key${at}`));
  const query = prepared(keysOfCredential().where('key', 'in', keys));
  statements.set(length, query);
  return query;
}

interface LookUp {
  readonly tenantId: string;
  readonly credential: string;
  readonly key: string;
}

/**
 * Returns the function that finds the row of a key. On PostgreSQL, the look-ups of one turn of the event loop are one statement for each credential: a
 * statement costs more than the row that it finds, and every sale looks up a key.
 */
export function createLookUp(database: Database): (tenantId: string, key: IdempotencyKey) => Promise<IdempotencyKeyRow | null> {
  const findOne = async ({ tenantId, credential, key }: LookUp) => {
    const [row = null] = await database.read(tenantId).rows(FIND, { credential, key });
    return row;
  };
  const findTogetherOnPostgres = findTogether<LookUp, IdempotencyKeyRow | null>({
    max: LOOK_UPS_MAX,
    groupOf: ({ tenantId, credential }) => `${tenantId} ${credential}`,
    async findAll(lookUps) {
      const [first] = lookUps;
      if (first === undefined) return [];
      if (lookUps.length === 1) return [await findOne(first)];
      const { tenantId, credential } = first;
      const keys = listOf([...new Set(lookUps.map(({ key }) => key))]);
      const params = { credential, ...Object.fromEntries(keys.map((key, at) => [`key${at}`, key])) };
      const rows = await database.read(tenantId).rows(findMany(keys.length), params);
      return lookUps.map(({ key }) => rows.find((row) => row.key === key) ?? null);
    },
  });
  const find = database.kind === 'sqlite' ? findOne : findTogetherOnPostgres;
  return (tenantId, { credentialId, key }) => find({ tenantId, credential: credentialId, key });
}
