import { expect, test } from 'vitest';
import { type GiftCardRecord, getGiftCard, giveGiftCard, orderGiftCard, redeem } from '../../support/gift-cards.ts';
import { type ApiFixture, expectData, sized } from '../../support/server.ts';
import { createMerchant } from '../../support/settlements.ts';
import { refundTender, takeTender } from '../../support/tenders.ts';
import { createUser } from '../../support/users.ts';
import { readPdf } from '../../unit/documents/read-pdf.ts';
import { describeWithLedger } from '../reporting/ledger-server.ts';

interface Sums {
  readonly key: string;
  readonly issuedAmount: number;
  readonly issuedCount: number;
  readonly reloadedAmount: number;
  readonly givenAmount: number;
  readonly importedAmount: number;
  readonly redeemedAmount: number;
  readonly refundedAmount: number;
  readonly takenBackAmount: number;
  readonly expiredAmount: number;
  readonly reinstatedAmount: number;
  readonly openAmount: number;
}
interface Report {
  readonly openingAmount: number;
  readonly totals: Sums;
  readonly series: readonly Sums[];
}

const DAY_MS = 86_400_000;
const cents = (amount: number) => Math.round(amount * 100);
const changeOf = (sums: Sums) =>
  cents(sums.issuedAmount + sums.reloadedAmount + sums.importedAmount + sums.refundedAmount + sums.reinstatedAmount) -
  cents(sums.redeemedAmount + sums.takenBackAmount + sums.expiredAmount);

const reportOf = ({ api }: ApiFixture, merchantId: string, query = '') =>
  expectData(api.admin.get<Report>(`/reporting/gift-cards?merchantId=${merchantId}${query}`));
const nowOf = async ({ api }: ApiFixture) => Date.parse((await expectData(api.admin.get<{ now: string }>('/sandbox/clock'))).now);
const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);
const moveTo = ({ api }: ApiFixture, ms: number) => expectData(api.admin.post('/sandbox/clock', { now: new Date(ms).toISOString() }));

/** Returns the text of the close of a day as PDF. */
async function closePdf(service: ApiFixture, merchantId: string, date: string): Promise<string> {
  const { headers } = await createUser(service, 'manager', {}, merchantId);
  const response = await fetch(`${service.baseUrl}/api/v1/settlement/close/pdf?merchantId=${merchantId}&date=${date}`, { headers });
  return (await readPdf(Buffer.from(await response.arrayBuffer()))).text;
}

/** Sells a card for cash, and returns it with the tender that paid. */
async function sell(service: ApiFixture, merchantId: string, amount: number) {
  const card = await orderGiftCard(service, amount, { merchantId });
  return { ...card, ...(await takeTender(service, amount, { orderId: card.orderId, merchantId })) };
}

function importCard({ api }: ApiFixture, merchantId: string, balance: number) {
  const form = new FormData();
  form.set('merchantId', merchantId);
  form.set('file', new Blob([`code,balance\n${crypto.randomUUID().replaceAll('-', '')},${balance}\n`]), 'cards.csv');
  return expectData(api.admin.post('/gift-cards/import', form));
}

describeWithLedger('the report of gift cards', (server, inFull) => {
  const service = () => server().service;

  test('lists what was issued, reloaded, redeemed, refunded, taken back, expired and reinstated, by day, month and merchant', async () => {
    const { api } = service();
    const merchantId = await createMerchant(service(), { timezone: 'UTC' });
    await expectData(api.admin.put(`/merchants/${merchantId}/vt-settings`, { giftCardExpiryMonths: 1 }));
    const first = dayOf(await nowOf(service()));
    const sold = await sell(service(), merchantId, 50);
    const given = await giveGiftCard(service(), 20, { merchantId });
    await expectData(api.admin.post(`/gift-cards/${given.giftCardId}/reload`, { amount: 5, reason: 'Late delivery' }));
    await importCard(service(), merchantId, 7);
    const { tenderId } = await expectData(redeem(service(), sold.code, 30, { merchantId }), 201);
    await expectData(refundTender(service(), tenderId, { amount: 10 }), 201);
    await expectData(refundTender(service(), sold.tenderId, { amount: 25 }), 201);
    const goods = await takeTender(service(), 12, { merchantId });
    await expectData(api.admin.post('/gift-cards/refund', { paymentId: goods.tenderId }), 201);
    const expected = {
      issuedCount: 2,
      issuedAmount: 70,
      reloadedCount: 1,
      reloadedAmount: 5,
      givenAmount: 25,
      importedAmount: 7,
      redeemedCount: 1,
      redeemedAmount: 30,
      refundedAmount: 22,
      takenBackAmount: 25,
      expiredAmount: 0,
      reinstatedAmount: 0,
      openAmount: 49,
    };
    expect(await reportOf(service(), merchantId)).toMatchObject({ openingAmount: 0, totals: expected });
    const { expiresOn } = await getGiftCard(service(), given.giftCardId);
    await moveTo(service(), Date.parse(expiresOn ?? '') + DAY_MS + 1_000);
    const later = dayOf(await nowOf(service()));
    const extend = { expiresOn: dayOf(Date.parse(later) + 90 * DAY_MS), reason: 'Agreed with Ann' };
    await expectData(api.admin.post(`/gift-cards/${given.giftCardId}/extend`, extend));
    // The new card of the refund does not expire.
    const rest = { expiredAmount: 30, reinstatedAmount: 25, openAmount: 44 };
    expect(await reportOf(service(), merchantId, `&startDate=${later}`)).toMatchObject({ openingAmount: 49, totals: rest, series: [rest] });
    expect((await reportOf(service(), merchantId, `&startDate=${first}&endDate=${first}`)).totals).toMatchObject(expected);
    const byMonth = await reportOf(service(), merchantId, `&startDate=${first}&groupBy=month`);
    expect(byMonth.series.at(0)).toMatchObject({ key: first.slice(0, 7), issuedAmount: 70 });
    expect(byMonth.series.at(-1)).toMatchObject({ key: later.slice(0, 7), openAmount: 44 });
    const all = await expectData(api.admin.get<Report>(`/reporting/gift-cards?startDate=${first}&endDate=${later}&groupBy=merchant`));
    expect(all.series.find(({ key }) => key === merchantId)).toMatchObject({ ...expected, ...rest });
    expect(cents(all.series.reduce((sum, { openAmount }) => sum + openAmount, 0))).toBe(cents(all.totals.openAmount));
    const csv = await api.admin.get(`/reporting/gift-cards/export?merchantId=${merchantId}&startDate=${later}`);
    expect(csv.text).toContain(`${later},${later},0,0.00,0,0.00,0.00,0.00,0,0.00,0.00,0.00,30.00,25.00,44.00,USD`);
    const pdf = await closePdf(service(), merchantId, later);
    for (const line of [
      'Gift cards and store credit in USD',
      'Owed at the beginning 49.00',
      'Expired 30.00',
      'Reinstated 25.00',
      'Owed at the end 44.00',
    ])
      expect(pdf).toContain(line);
    expect(await closePdf(service(), await createMerchant(service()), later)).not.toContain('Gift cards');
    expect(await server().differences()).toEqual([]);
  });

  test('sums to the ledger and to the balances of all cards after any movements', { ...inFull, timeout: 240_000 }, async () => {
    const { api } = service();
    const merchantId = await createMerchant(service(), { timezone: 'UTC' });
    await expectData(api.admin.put(`/merchants/${merchantId}/vt-settings`, { giftCardExpiryMonths: 1 }));
    const startDate = dayOf(await nowOf(service()));
    const cards: { giftCardId: string; code: string }[] = [];
    const [payments, sales]: [string[], string[]] = [[], []];
    const pick = <Item>(items: readonly Item[]): Item | undefined => items[Math.floor(Math.random() * items.length)];
    const amount = () => Math.floor(100 + Math.random() * 2_000) / 100;
    const openByDay = new Map<string, number>();
    const open = async () =>
      cents(
        (await expectData(api.admin.get<GiftCardRecord[]>(`/gift-cards?merchantId=${merchantId}&limit=200`))).reduce(
          (sum, { balance }) => sum + balance,
          0,
        ),
      );
    // Each operation may be refused: a card is spent, expired or taken back.
    const operations: (() => Promise<unknown>)[] = [
      async () => {
        const { giftCardId, code, tenderId } = await sell(service(), merchantId, amount());
        cards.push({ giftCardId, code });
        sales.push(tenderId);
      },
      async () => {
        const { giftCardId, code } = await giveGiftCard(service(), amount(), { merchantId });
        cards.push({ giftCardId, code: code ?? '' });
      },
      () => api.admin.post(`/gift-cards/${pick(cards)?.giftCardId}/reload`, { amount: amount(), reason: 'Late delivery' }),
      async () => {
        const { status, body } = await redeem(service(), pick(cards)?.code ?? '-', amount(), { merchantId });
        if (status === 201) payments.push(body.data.tenderId);
      },
      () => refundTender(service(), pick(payments) ?? '-', { amount: amount() }),
      () => refundTender(service(), pick(sales) ?? '-', { amount: amount() }),
      async () => {
        const { tenderId } = await takeTender(service(), 5, { merchantId });
        await expectData(api.admin.post('/gift-cards/refund', { paymentId: tenderId }), 201);
      },
      () => importCard(service(), merchantId, amount()),
      () => api.admin.post(`/gift-cards/${pick(cards)?.giftCardId}/extend`, { expiresOn: null, reason: 'Agreed with Ann' }),
      async () => {
        openByDay.set(dayOf(await nowOf(service())), await open());
        await moveTo(service(), (await nowOf(service())) + 20 * DAY_MS);
      },
    ];
    for (let step = 0; step < sized(40, 400); step += 1) await pick(operations)?.();
    const report = await reportOf(service(), merchantId, `&startDate=${startDate}`);
    expect(report.openingAmount).toBe(0);
    let openCents = 0;
    for (const point of report.series) {
      openCents += changeOf(point);
      expect([point.key, cents(point.openAmount)]).toEqual([point.key, openCents]);
    }
    expect(changeOf(report.totals)).toBe(openCents);
    expect(cents(report.totals.openAmount)).toBe(await open());
    const { merchants } = await expectData(
      api.admin.get<{ merchants: { accounts: { giftCards: number } }[] }>(`/settlement/ledger?merchantId=${merchantId}`),
    );
    expect(cents(report.totals.openAmount)).toBe(0 - cents(merchants[0]?.accounts.giftCards ?? 0));
    for (const [day, was] of openByDay) {
      const { totals } = await reportOf(service(), merchantId, `&startDate=${startDate}&endDate=${day}`);
      expect([day, cents(totals.openAmount)]).toEqual([day, was]);
    }
    expect(await server().differences()).toEqual([]);
  });
});
