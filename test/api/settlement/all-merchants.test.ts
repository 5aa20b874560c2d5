import { expect, test } from 'vitest';
import { type ApiFixture, describeOnAnyDatabase, expectData, expectError } from '../../support/server.ts';
import { createMerchant, sell, settle, settleOnRequest } from '../../support/settlements.ts';
import { createUser } from '../../support/users.ts';

interface Report {
  readonly count: number;
  readonly totalAmount: number;
  readonly totalFees: number;
  readonly totalNet: number;
  readonly settlements: readonly { readonly settlementId: string; readonly merchantId: string }[];
}
interface Standing {
  readonly merchantId: string | null;
  readonly frequency: string | null;
  readonly nextCutoffAt: string | null;
  readonly unsettled: { readonly count: number; readonly amount: number };
  readonly settledUnpaid: { readonly count: number; readonly amount: number };
}
type Headers = Readonly<Record<string, string>>;

const FUNDING = '/settlement/funding-report';
const cents = (amount: number) => Math.round(amount * 100);

/** Creates two merchants with one settlement and one unsettled payment each. */
async function twoMerchants(service: ApiFixture): Promise<[string, string]> {
  const ids: [string, string] = [await createMerchant(service), await createMerchant(service)];
  for (const [index, merchantId] of ids.entries()) {
    await settleOnRequest(service, merchantId);
    await sell(service, merchantId, 100 * (index + 1));
    await settle(service, merchantId);
    await sell(service, merchantId, 10 * (index + 1));
  }
  return ids;
}

/** Returns the sum of a figure over all merchants of the tenant. */
async function summed(service: ApiFixture, read: (merchantId: string) => Promise<readonly number[]>): Promise<number[]> {
  const merchants = await expectData(service.api.admin.get<{ merchantId: string }[]>('/merchants?limit=200'));
  const each = await Promise.all(merchants.map(({ merchantId }) => read(merchantId)));
  return (each[0] ?? []).map((_, index) => each.reduce((total, figures) => total + (figures[index] ?? 0), 0));
}

describeOnAnyDatabase('a report without merchantId', (fixture) => {
  const get = <Data>(path: string, headers?: Headers) =>
    expectData(headers ? fixture().api.bare.get<Data>(`/api/v1${path}`, headers) : fixture().api.admin.get<Data>(path));

  test('covers every merchant in the funding report with totals, complete and in pages', async () => {
    const service = fixture();
    const ids = await twoMerchants(service);
    const figures = ({ count, totalAmount, totalFees, totalNet }: Report) => [count, ...[totalAmount, totalFees, totalNet].map(cents)];
    const all = await get<Report>(FUNDING);
    expect(figures(all)).toEqual(await summed(service, async (id) => figures(await get<Report>(`${FUNDING}?merchantId=${id}`))));
    expect(all.settlements).toHaveLength(all.count);
    expect(all.settlements.map(({ merchantId }) => merchantId)).toEqual(expect.arrayContaining(ids));
    const page = await service.api.admin.get<Report>(`${FUNDING}?limit=1`);
    expect(page.body.pagination.total).toBe(all.count);
    expect(figures(page.body.data)).toEqual(figures(all));
  });

  test('covers every merchant in the CSV and email of the funding report', async () => {
    const service = fixture();
    const ids = await twoMerchants(service);
    const all = await get<Report>(FUNDING);
    const [head = '', ...lines] = (await service.api.admin.post(`${FUNDING}/export/csv?currency=USD`)).text.trimEnd().split('\r\n');
    const column = head.split(',').indexOf('merchantId');
    expect(lines).toHaveLength(all.count);
    expect(lines.map((line) => line.split(',')[column])).toEqual(expect.arrayContaining(ids));
    const { messageId } = await expectData(
      service.api.admin.post<{ messageId: string }>(`${FUNDING}/email`, { email: 'books@shop.example' }),
    );
    const [message] = await get<{ messageId: string; body: string }[]>('/sandbox/messages?limit=1');
    expect(message?.messageId).toBe(messageId);
    expect(message?.body).toContain('Settlements of all merchants');
    expect(message?.body).toContain(`= ${all.totalNet.toFixed(2)} USD`);
    for (const { settlementId } of all.settlements.slice(0, 200)) expect(message?.body).toContain(settlementId);
  });

  test('covers every merchant in the settlement summary and the unsettled lines', async () => {
    const service = fixture();
    const ids = await twoMerchants(service);
    const figures = ({ unsettled, settledUnpaid }: Standing) => [
      unsettled.count,
      cents(unsettled.amount),
      settledUnpaid.count,
      cents(settledUnpaid.amount),
    ];
    const all = await get<Standing>('/settlement/summary');
    expect(all).toMatchObject({ merchantId: null, frequency: null, nextCutoffAt: null });
    expect(figures(all)).toEqual(await summed(service, async (id) => figures(await get<Standing>(`/settlement/summary?merchantId=${id}`))));
    const lines = await service.api.admin.get<{ id: string }[]>('/settlement/unsettled?limit=200');
    expect(lines.body.pagination.total).toBe(all.unsettled.count);
    for (const id of ids) {
      const [own] = await get<{ id: string }[]>(`/settlement/unsettled?merchantId=${id}`);
      expect(lines.body.data).toContainEqual(own);
    }
  });

  test("shows a caller of one merchant that merchant's figures only", async () => {
    const service = fixture();
    const [mine, other] = await twoMerchants(service);
    const { headers } = await createUser(service, 'accountant', {}, mine);
    const bare = service.api.bare;
    expect(await get<Report>(FUNDING, headers)).toMatchObject({ count: 1, totalAmount: 100, settlements: [{ merchantId: mine }] });
    expect(await get<Standing>('/settlement/summary', headers)).toMatchObject({
      merchantId: mine,
      frequency: 'manual',
      unsettled: { amount: 10 },
    });
    expect(await get<unknown[]>('/settlement/unsettled', headers)).toHaveLength(1);
    const csv = (await bare.post(`/api/v1${FUNDING}/export/csv`, undefined, headers)).text;
    expect(csv).toContain(mine);
    expect(csv).not.toContain(other);
    for (const path of [FUNDING, '/settlement/summary', '/settlement/unsettled'])
      await expectError(bare.get(`/api/v1${path}?merchantId=${other}`, headers), 403, 'MERCHANT_NOT_AUTHORIZED');
  });
});
