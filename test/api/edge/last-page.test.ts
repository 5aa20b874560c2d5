import { expect, test } from 'vitest';
import { CARDS, cardBody, createSale, type TransactionRecord } from '../../support/sales.ts';
import { type Answer, type ApiFixture, describeOnAnyDatabase, expectData } from '../../support/server.ts';

interface Operation {
  readonly parameters?: readonly { readonly $ref?: string; readonly name?: string; readonly in?: string; readonly required?: boolean }[];
}
interface Document {
  readonly paths: Record<string, { readonly get?: Operation }>;
  readonly components: { readonly parameters: Record<string, { readonly name: string; readonly in: string; readonly required?: boolean }> };
}

const LIMIT_MAX = 200;
const ADMIN = '/api/v1';
/** Lists that the requests of this test change, and downloads. */
const CHANGING = /audit-logs|security-activity|request-log|user-sessions|export/;

/** Returns the paths of all lists of the Admin surface that need no further parameter, from the OpenAPI document. */
async function listsOf({ api }: ApiFixture): Promise<string[]> {
  const { paths, components } = JSON.parse((await api.bare.get('/openapi.json')).text) as Document;
  return Object.entries(paths).flatMap(([path, { get }]) => {
    if (get === undefined || !path.startsWith(ADMIN) || /^\/api\/v1\/(?:public|sdk)\//.test(path) || path.includes('{')) return [];
    const parameters = (get.parameters ?? []).map((each) =>
      each.$ref === undefined ? each : components.parameters[each.$ref.split('/').at(-1) ?? ''],
    );
    const isList = parameters.some((each) => each?.name === 'cursor') && parameters.some((each) => each?.name === 'page');
    const needsMore = parameters.some((each) => each?.in === 'query' && each.required);
    return isList && !needsMore ? [path.slice(ADMIN.length)] : [];
  });
}

describeOnAnyDatabase('the last page of a list', (fixture) => {
  const list = (path: string, query: string): Promise<Answer<unknown[]>> =>
    fixture().api.admin.get<unknown[]>(`${path}${path.includes('?') ? '&' : '?'}${query}`);

  /** Checks the cursors of a list with one page, and with two pages of which the last has one item. Returns false if the list is too short or too long. */
  async function checkCursors(path: string): Promise<boolean> {
    const { total } = (await list(path, 'limit=1')).body.pagination;
    if (total < 2 || total > LIMIT_MAX) return false;
    expect((await list(path, `limit=${total}`)).body.pagination.nextCursor, path).toBeNull();
    const first = (await list(path, `limit=${total - 1}`)).body;
    if (Array.isArray(first.data)) expect(first.data, path).toHaveLength(total - 1);
    expect(first.pagination.nextCursor, path).not.toBeNull();
    const last = (await list(path, `limit=1&cursor=${encodeURIComponent(first.pagination.nextCursor ?? '')}`)).body;
    if (Array.isArray(last.data)) expect(last.data, path).toHaveLength(1);
    expect(last.pagination.nextCursor, path).toBeNull();
    const byNumber = (await list(path, `limit=1&page=${total}`)).body;
    expect(byNumber.data, path).toEqual(last.data);
    expect(byNumber.pagination.nextCursor, path).toBeNull();
    return true;
  }

  test('has no cursor if it is exactly full, in every kind of list', async () => {
    const { api } = fixture();
    const paths = (await listsOf(fixture())).filter((path) => !CHANGING.test(path));
    const checked: string[] = [];
    for (const path of paths) if (await checkCursors(path)) checked.push(path);
    const { customerId } = await expectData(
      api.admin.post<{ customerId: string }>('/customers', { firstName: 'Last', lastName: 'Page' }),
      201,
    );
    for (const kind of [CARDS.visa, CARDS.visa, CARDS.declined])
      await api.admin.post('/transactions', { ...cardBody(12, kind), customerId });
    const { transactionId } = await createSale(fixture(), 13);
    for (const amount of [1, 2]) await api.admin.post(`/transactions/${transactionId}/refund`, { amount });
    for (const kind of ['cash', 'cash'])
      await expectData(api.admin.post<TransactionRecord>('/tenders', { kind, amount: 12, customerId }), 201);
    const narrowed = [
      `/transactions?customerId=${customerId}`,
      `/payments?customerId=${customerId}`,
      `/refunds?transactionId=${transactionId}`,
    ];
    for (const path of narrowed) expect(await checkCursors(path), path).toBe(true);
    expect(checked.length).toBeGreaterThan(5);
  });
});
