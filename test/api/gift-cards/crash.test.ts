import { expect, onTestFinished, test } from 'vitest';
import { type GiftCardRecord, getGiftCard, giveGiftCard, liabilityOf, orderGiftCard } from '../../support/gift-cards.ts';
import { getOrder } from '../../support/orders.ts';
import { expireLeasesOfKilledServers } from '../../support/postgres.ts';
import { startServerProcess } from '../../support/process.ts';
import { cardBody } from '../../support/sales.ts';
import { createSampleInstallation } from '../../support/sample-data.ts';
import { ANY_DATABASE, apiOf, expectData, sized } from '../../support/server.ts';
import { startServer } from '../../support/start-server.ts';
import type { TenderRecord } from '../../support/tenders.ts';
import { until } from '../../support/until.ts';

/** Number of cards that pay, of cards that orders sell, and of payments that become store credit. */
const EACH = sized(6, 20);
const CLIENTS = 6;
/** Payments of each card. */
const PARTS = 4;
const PART = 3;
const BALANCE = 20;
const SOLD = 25;
const REFUND = 7;

/** A request under its key, which is repeated after the kill. */
interface Sent {
  readonly path: string;
  readonly body: object;
  readonly key: string;
  answer?: string;
}

test.each(ANY_DATABASE)(
  'redeems, loads and refunds gift cards exactly once through a kill of the server (%s)',
  { timeout: 240_000 },
  async (database) => {
    const { dataDir, url, remove } = await createSampleInstallation(database);
    onTestFinished(remove);
    const killed = await startServerProcess(dataDir, url, ['--log-level', 'silent']);
    const before = { api: apiOf(killed.baseUrl, killed.credentials) };
    const all = <Made>(make: () => Promise<Made>) => Promise.all(Array.from({ length: EACH }, make));
    const wallets = await all(() => giveGiftCard(before, BALANCE));
    const orders = await all(() => orderGiftCard(before, SOLD));
    const tenders = await all(() => expectData(before.api.admin.post<TenderRecord>('/tenders', { kind: 'cash', amount: REFUND }), 201));
    const requests: Sent[] = [
      ...wallets.flatMap(({ giftCardId, code }) =>
        Array.from({ length: PARTS }, (_, part) => ({
          path: '/tenders',
          body: { kind: 'gift_card', giftCardCode: code, amount: PART },
          key: `pay-${giftCardId}-${part}`,
        })),
      ),
      ...tenders.map(({ tenderId }) => ({ path: '/gift-cards/refund', body: { paymentId: tenderId }, key: `refund-${tenderId}` })),
    ];
    const payments: Sent[] = orders.map(({ orderId }) => ({
      path: '/transactions',
      body: { ...cardBody(SOLD), orderId },
      key: `sale-${orderId}`,
    }));
    let acknowledged = 0;
    let killing: Promise<void> | undefined;
    const send = async (request: Sent) => {
      try {
        const { path, body, key } = request;
        const { status, text } = await before.api.admin.post(path, body, { 'Idempotency-Key': key });
        expect(status, text).toBeLessThan(300);
        request.answer = text;
        acknowledged += 1;
        if (acknowledged === (requests.length + payments.length) / 2) killing ??= killed.kill();
      } catch (error) {
        if (!killing) throw error;
      }
    };
    // Payments of orders and refunds are interleaved with those of cards, so that the kill meets each of them.
    const mixed = [...requests, ...payments].toSorted((left, right) => left.key.slice(-4).localeCompare(right.key.slice(-4)));
    const queue = mixed.values();
    const work = async () => {
      for (const request of queue) if (!killing) await send(request);
    };
    await Promise.all(Array.from({ length: CLIENTS }, work));
    await killing;
    const answered = mixed.filter(({ answer }) => answer !== undefined).length;
    expect(answered).toBeLessThan(mixed.length);
    await expireLeasesOfKilledServers(url);

    const server = await startServer({ dataDir, databaseUrl: url, port: 0, demo: true, logLevel: 'silent', sandboxTimeoutMs: 40 });
    onTestFinished(server.close);
    const after = { api: apiOf(server.baseUrl, killed.credentials) };
    await until(
      'no share is reserved',
      async () => {
        await expectData(after.api.admin.post('/sandbox/clock', { advanceSeconds: 60 }));
        const found = await Promise.all(orders.map(({ orderId }) => getOrder(after, orderId)));
        return found.every(({ reservedAmount }) => reservedAmount === 0);
      },
      { withinMs: 60_000 },
    );
    for (const { path, body, key, answer } of requests) {
      const { status, text } = await after.api.admin.post(path, body, { 'Idempotency-Key': key });
      expect(status, text).toBeLessThan(300);
      // The stored response has the code of a new card, too.
      if (answer !== undefined) expect(text).toBe(answer);
    }
    for (const { giftCardId } of wallets) {
      const card = await getGiftCard(after, giftCardId);
      expect(card.balance).toBe(BALANCE - PARTS * PART);
      expect(card.entries?.filter(({ kind }) => kind === 'redeemed')).toHaveLength(PARTS);
    }
    for (const { tenderId } of tenders) {
      const { refundedAmount } = await expectData(after.api.admin.get<{ refundedAmount: number }>(`/tenders/${tenderId}`));
      expect(refundedAmount).toBe(REFUND);
    }
    for (const { orderId, giftCardId } of orders) {
      const { remainingAmount } = await getOrder(after, orderId);
      expect(await getGiftCard(after, giftCardId)).toMatchObject(
        remainingAmount === 0 ? { status: 'active', balance: SOLD } : { status: 'pending', balance: 0 },
      );
      if (remainingAmount > 0) await expectData(after.api.admin.post('/tenders', { kind: 'cash', amount: remainingAmount, orderId }), 201);
      const card = await getGiftCard(after, giftCardId);
      expect(card).toMatchObject({ status: 'active', balance: SOLD });
      expect(card.entries?.map(({ kind, amount }) => [kind, amount])).toEqual([['sold', SOLD]]);
    }
    const { ledger, cards } = await liabilityOf(after);
    expect(ledger).toBe(cards);
    expect(cards).toBe(100 * EACH * (BALANCE - PARTS * PART + SOLD + REFUND));
    const issued = await expectData(after.api.admin.get<GiftCardRecord[]>('/gift-cards?limit=100'));
    expect(issued).toHaveLength(3 * EACH);
  },
);
