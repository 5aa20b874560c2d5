import { afterAll, beforeAll, expect, test } from 'vitest';
import { storeCard, subscribe } from '../../support/customers.ts';
import { type DocumentedOperation, documentedOperations, operationOf } from '../../support/documented-operations.ts';
import { startMcpClient } from '../../support/mcp-client.ts';
import { stopMcp } from '../../support/mcp-process.ts';
import { createOwnedRecords, idOf, type OwnedRecords } from '../../support/owned-records.ts';
import { CARDS } from '../../support/sales.ts';
import { ANY_DATABASE, describeOnSmallData } from '../../support/server.ts';
import { CLIENTS } from '../../support/typed-clients.ts';

const LIMIT_MAX = 200;
/** Longer lists are read in this number of pages. */
const PAGES = 20;

/** Lists in which requests, or their sessions, are recorded. */
const RECORDING = /audit-logs|security-activity|request-log|user-sessions/;
/** Lists with fewer than two records in the sample data, of which only the end is tested. */
const SHORT = [
  'admin.listBackups',
  'admin.listCustomerImportLines',
  'admin.listCustomerPageLinks',
  'admin.listExpiringCards',
  'admin.listSubscriptionPayments',
  'public.listMerchants',
];

type Item = Readonly<Record<string, unknown>>;

const SUBJECTS = [...CLIENTS, { name: 'MCP', start: startMcpClient, reason: undefined }] as const;

describeOnSmallData('lists read by the clients', ANY_DATABASE, (fixture) => {
  afterAll(stopMcp);
  let operations: DocumentedOperation[];
  let records: OwnedRecords;

  beforeAll(async () => {
    operations = await documentedOperations(fixture());
    await createOwnedRecords(fixture());
    records = await createOwnedRecords(fixture());
    await storeCard(fixture(), records.customerId, CARDS.refundDeclined);
    await subscribe(fixture(), records.customerId);
  });

  const surfaceOf = ({ path }: DocumentedOperation) => (path.startsWith('/public/') ? fixture().api.public : fixture().api.admin);
  const filled = ({ path }: DocumentedOperation, params: Readonly<Record<string, string>>) =>
    path.replace(/^\/public/, '').replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '');

  /** Reads a list without a client: by the numbers of its pages, or all of the event history from its beginning. */
  async function readDirectly(operation: DocumentedOperation, params: Readonly<Record<string, string>>): Promise<Item[]> {
    const items: Item[] = [];
    const isNumbered = operation.queryParameters.includes('page');
    for (let page = 1; ; page += 1) {
      const at = isNumbered ? `page=${page}` : items.length === 0 ? 'from=2000-01-01' : `after=${items.at(-1)?.id}`;
      const { body, text } = await surfaceOf(operation).get<Item[]>(`${filled(operation, params)}?limit=${LIMIT_MAX}&${at}`);
      expect(body.success, `${operation.id}: ${text}`).toBe(true);
      items.push(...body.data);
      if (body.data.length < LIMIT_MAX) return items;
    }
  }

  test.for(SUBJECTS)('have each record once and end, in $name', async ({ name, start, reason }, { skip }) => {
    skip(reason !== undefined, reason);
    const client = await start(fixture());
    const lists = operations.filter(({ isList, id }) => isList && (name !== 'MCP' || id.startsWith('public.')));
    const short: string[] = [];
    for (const operation of lists) {
      const params = Object.fromEntries(operation.pathParameters.map((name) => [name, idOf(records, `/api/v1${operation.path}`, name)]));
      const direct = await readDirectly(operation, params);
      if (direct.length < 2) short.push(operation.id);
      const limit = String(Math.max(1, Math.ceil(direct.length / PAGES)));
      const walked = (await client.walk(operation, { params, query: { limit } })) as Item[];
      const identify = identityIn(direct);
      expect(new Set(walked.map(identify)).size, operation.id).toBe(walked.length);
      // Requests are recorded in a few lists, which therefore have more records than before. The request log forgets the oldest ones.
      const kept = operation.id === 'admin.listRequests' ? direct.slice(0, LIMIT_MAX / 2) : direct;
      expect(walked.map(identify), operation.id).toEqual(expect.arrayContaining(kept.map(identify)));
      // The key of the agent has access to other merchants too.
      if (name !== 'MCP' && !RECORDING.test(operation.path) && walked.length !== direct.length)
        // A job of the server has added a record in between.
        expect(walked.length, operation.id).toBe((await readDirectly(operation, params)).length);
    }
    client.close();
    expect(short.toSorted()).toEqual(name === 'MCP' ? SHORT.filter((id) => id.startsWith('public.')) : SHORT);
  });

  test.for(CLIENTS)('continue the event history from each start, in $name', async ({ start, reason }, { skip }) => {
    skip(reason !== undefined, reason);
    const client = await start(fixture());
    const operation = operationOf(operations, 'public.listEvents');
    const all = await readDirectly(operation, {});
    const at = (index: number) => all.at(index) as Item & { readonly id: string; readonly createdAt: string; readonly type: string };
    const [sixth, second] = [at(-6), at(-2)];
    const starts: readonly { readonly query: Record<string, string>; readonly expected: readonly Item[] }[] = [
      { query: {}, expected: all },
      { query: { after: sixth.id }, expected: all.slice(-5) },
      { query: { before: at(5).id }, expected: all.slice(0, 5) },
      { query: { from: sixth.createdAt }, expected: all.filter(({ createdAt }) => String(createdAt) >= sixth.createdAt) },
      { query: { to: at(5).createdAt }, expected: all.filter(({ createdAt }) => String(createdAt) < at(5).createdAt) },
      { query: { after: sixth.id, types: second.type }, expected: all.slice(-5).filter(({ type }) => type === second.type) },
      {
        query: { after: sixth.id, to: second.createdAt },
        expected: all.slice(-5).filter(({ createdAt }) => String(createdAt) < second.createdAt),
      },
    ];
    for (const { query, expected } of starts) {
      const walked = ((await client.walk(operation, { query: { ...query, limit: '1' } })) as Item[]).map(({ id }) => id);
      expect(new Set(walked).size, JSON.stringify(query)).toBe(walked.length);
      const ids = expected.map(({ id }) => id);
      // Jobs of the server may cause further events in between.
      const isForward = 'after' in query || 'from' in query;
      const compared = isForward ? walked.slice(0, ids.length) : walked.slice(-ids.length);
      expect(compared, JSON.stringify(query)).toEqual(isForward ? ids : ids.toReversed());
    }
    client.close();
  });
});

/** Returns the function by which records of a list are recognized: their ID, or all of their fields if they have none. */
function identityIn(items: readonly Item[]): (item: Item) => unknown {
  const names = Object.keys(items[0] ?? {}).filter((name) => /^id$|Id$/.test(name));
  const own = names.find((name) => new Set(items.map((item) => item[name])).size === items.length);
  return (item) => (own === undefined ? JSON.stringify(item) : item[own]);
}
