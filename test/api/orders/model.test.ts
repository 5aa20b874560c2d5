import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createCustomer } from '../../support/customers.ts';
import { type GiftCardRecord, getGiftCard, giveGiftCard } from '../../support/gift-cards.ts';
import { createOrder, getOrder, type OrderRecord } from '../../support/orders.ts';
import { createSale } from '../../support/sales.ts';
import { type ApiFixture, apiOf, expectData } from '../../support/server.ts';
import { FULL } from '../../support/tier.ts';
import { describeWithLedger } from '../reporting/ledger-server.ts';
import {
  balanceOf,
  expectedLoad,
  heldOf,
  isKept,
  type Model,
  type ModelCard,
  paidOf,
  refundedOf,
  remainingOf,
  sale,
  step,
} from './order-model.ts';
import { cents, perform, shown, type Walk } from './order-steps.ts';

const FEW = 12;
/** Number of orders on each database in the full tier. */
const MANY = Number(process.env.PAYDESK_TEST_RUNS ?? 1_000);
const ORDERS_OF_SESSION = 50;
const SEED = Number(process.env.PAYDESK_TEST_SEED ?? 20_261_129);
/** Balance of the card with which a customer comes. */
const WALLET = 4_000;

/** Compares an order with its model; tax and discount of a paid order are those of its payments, to the cent. */
function compare(found: OrderRecord, model: Model, parts: Readonly<Record<'taxAmount' | 'discountAmount', number>>): void {
  expect({
    status: found.status,
    paid: cents(found.paidAmount),
    remaining: cents(found.remainingAmount),
    reserved: cents(found.reservedAmount),
    refunded: cents(found.refundedAmount),
  }).toEqual({
    status: model.status,
    paid: paidOf(model),
    remaining: model.status === 'open' || model.status === 'parked' ? remainingOf(model) : 0,
    reserved: 0,
    refunded: refundedOf(model),
  });
  for (const part of ['taxAmount', 'discountAmount'] as const) {
    const kept = found.payments
      .filter(({ state }) => state === 'paid')
      .map((payment) => {
        const [all, share, returned] = [payment[part], payment.shareAmount, payment.returnedAmount].map(cents) as [number, number, number];
        return all - (returned >= share ? all : Math.floor((all * returned) / share));
      });
    const sum = kept.reduce((total, each) => total + each, 0);
    if (model.status === 'paid') expect(sum).toBe(parts[part]);
    else expect(sum).toBeLessThanOrEqual(parts[part]);
  }
}

/** Compares the gift card that the order sells, the card that pays it and the store credit with the model. */
async function compareCards(walk: Walk, found: OrderRecord, model: Model): Promise<void> {
  const [load] = (found as unknown as { giftCards: { loadedAmount: number }[] }).giftCards;
  model.loaded = cents(load?.loadedAmount ?? 0);
  const expected = expectedLoad(model);
  if (expected !== undefined) expect(model.loaded).toBe(expected);
  else if (isKept(model)) expect(model.loaded).toBeLessThanOrEqual(model.status === 'paid' ? Math.min(model.gift, heldOf(model)) : 0);
  else expect(model.loaded).toBeLessThanOrEqual(model.gift);
  for (const card of [model.wallet, model.sold, model.credit]) {
    if (card === null) continue;
    const { status, balance } = await getGiftCard(walk, card.id);
    expect({ status, balance: cents(balance) }).toEqual({ status: card.status, balance: balanceOf(model, card) });
  }
}

/** Returns what the ledger owes to the holders of all cards. */
async function liability({ api }: ApiFixture): Promise<number> {
  const { merchants } = await expectData(api.admin.get<{ merchants: { accounts: { giftCards: number } }[] }>('/settlement/ledger'));
  return -merchants.reduce((sum, { accounts }) => sum + cents(accounts.giftCards), 0);
}

const cardOf = (
  { giftCardId, code }: Pick<GiftCardRecord, 'giftCardId' | 'code'>,
  own: number,
  status: ModelCard['status'],
): ModelCard => ({
  id: giftCardId,
  code: String(code),
  own,
  status,
});

/** Creates an order with the cards of its model. */
async function begin(
  walk: Walk,
  [goods, tax, discount, gift, isReload]: readonly [number, number, number, number, boolean],
  credit: ModelCard,
): Promise<Model> {
  const wallet = cardOf(await giveGiftCard(walk, WALLET / 100), WALLET, 'active');
  const reloaded = gift > 0 && isReload ? cardOf(await giveGiftCard(walk, 1), 100, 'active') : null;
  const lineItems = [{ description: 'Goods', unitPrice: shown(goods + discount), discountAmount: shown(discount) }];
  const giftCards = [{ amount: shown(gift), ...(reloaded && { giftCardId: reloaded.id }) }];
  const plain = { amount: shown(goods), taxAmount: shown(tax), discountAmount: shown(discount) };
  const order = await createOrder(walk, gift > 0 ? { lineItems, giftCards } : plain);
  const [created] = (order as unknown as { giftCards: GiftCardRecord[] }).giftCards;
  const sold = reloaded ?? (created === undefined ? null : cardOf(created, 0, 'pending'));
  const shared = { gift, loaded: 0, sold, wallet, credit, payments: [], wasBlocked: false };
  return { orderId: order.orderId, amount: goods + gift, status: 'open', ...shared };
}

describeWithLedger('the life of an order', (server) => {
  /** Performs random steps on orders, compares each order with its model after every step, and returns the numbers of what was done. */
  async function walkOrders(orders: number) {
    const { service } = server();
    await expectData(service.api.admin.put(`/merchants/${service.credentials.merchantId}/vt-settings`, { storeCreditForCards: true }));
    const { customerId } = await createCustomer(service);
    const { token } = await createSale(service, 5);
    let walk: Walk = { ...service, customerId, token };
    const credit = cardOf(await giveGiftCard(walk, 10, { customerId }), 1_000, 'active');
    const counts = {
      orders: 0,
      steps: 0,
      paid: 0,
      canceled: 0,
      voids: 0,
      returns: 0,
      debitsReturned: 0,
      disputes: 0,
      debitsDisputed: 0,
      won: 0,
      lost: 0,
      refunds: 0,
      giftCardsSold: 0,
    };
    const payments: Record<string, number> = {};
    const life = fc.asyncProperty(sale, fc.array(step, { minLength: 3, maxLength: 12, size: 'max' }), async (sold, steps) => {
      // The walk is longer than a session.
      if (counts.orders % ORDERS_OF_SESSION === 0) walk = { ...walk, api: apiOf(service.baseUrl, service.credentials) };
      const model = await begin(walk, sold, credit);
      const parts = { taxAmount: model.gift > 0 ? 0 : sold[1], discountAmount: sold[2] };
      const others = (await liability(walk)) - [model.wallet, model.sold, credit].reduce((sum, card) => sum + (card?.own ?? 0), 0);
      for (const each of steps) {
        await perform(walk, model, each);
        const found = await getOrder(walk, model.orderId);
        compare(found, model, parts);
        await compareCards(walk, found, model);
        const balances = [model.wallet, model.sold, credit].reduce((sum, card) => sum + (card === null ? 0 : balanceOf(model, card)), 0);
        expect(await liability(walk)).toBe(others + balances);
      }
      counts.orders += 1;
      counts.steps += steps.length;
      counts.paid += Number(model.status === 'paid');
      counts.canceled += Number(model.status === 'canceled');
      counts.giftCardsSold += Number(model.loaded > 0);
      for (const { by, total, isVoid, isReturned, isDisputed, outcome } of model.payments) {
        const wasDisputed = isDisputed || outcome !== null;
        payments[by] = (payments[by] ?? 0) + 1;
        counts.refunds += Number(total > 0);
        counts.voids += Number(isVoid && !isReturned);
        counts.returns += Number(isReturned);
        counts.debitsReturned += Number(isReturned && by === 'ach');
        counts.disputes += Number(wasDisputed);
        counts.debitsDisputed += Number(wasDisputed && by === 'ach');
        counts.won += Number(outcome === 'won');
        counts.lost += Number(outcome === 'lost');
      }
    });
    await fc.assert(life, { numRuns: orders, seed: SEED });
    expect(await server().differences()).toEqual([]);
    return { ...counts, payments };
  }

  test(`follows a simple model through ${FEW} random orders`, () => walkOrders(FEW));
  test(`follows a simple model through ${MANY} random orders`, { ...FULL, timeout: 3_600_000 }, async () => {
    console.log(await walkOrders(MANY));
  });
});
