import type { Core } from '#core';
import { type Actor, dateIn } from '#core/kernel';

const CARD_YEARS_LEFT = 3;

interface SampleCounter {
  readonly core: Core;
  readonly cashier: Actor;
  readonly merchantId: string;
  readonly clock: { readonly at: number };
  /** IDs of the items by their keys. */
  readonly items: ReadonlyMap<string, string>;
}

/** Returns the sales at the counter with gift cards and with several payments. */
export function sampleGiftCards({ core, cashier, merchantId, clock, items }: SampleCounter) {
  const linesOf = (quantities: Readonly<Record<string, number>>) =>
    Object.entries(quantities).map(([key, quantity]) => ({ itemId: items.get(key) ?? '', quantity }));
  const payByCard = (orderId: string, number: string, amount: string) =>
    core.payments.createPayment(
      { ...cashier, drawer: 'Counter' },
      {
        merchantId,
        orderId,
        type: 'sale',
        amount,
        method: {
          kind: 'card',
          number,
          expiryMonth: '11',
          expiryYear: `${Number(dateIn('UTC', clock.at).slice(0, 4)) + CARD_YEARS_LEFT}`,
          cvv: '123',
        },
        source: 'keyed',
      },
    );

  return {
    /** Sells a gift card with a mug by card. Returns the code of the gift card. */
    async sell(): Promise<string> {
      const { orderId, giftCards } = await core.orders.create(cashier, {
        merchantId,
        giftCards: [{ amount: '25.00' }],
        lineItems: linesOf({ MUG: 1 }),
      });
      await payByCard(orderId, '4242424242424242', '39.00');
      return giftCards[0]?.code ?? '';
    },
    /** Takes a sale that a gift card and a payment card share; the gift card keeps a part of its balance. */
    async split(giftCardCode: string): Promise<void> {
      const lineItems = linesOf({ BAG: 1, MU: 4 });
      const { orderId } = await core.orders.create(cashier, { merchantId, lineItems });
      await core.tenders.create(cashier, { drawer: 'Counter', merchantId, kind: 'gift_card', giftCardCode, amount: '20.00', orderId });
      await payByCard(orderId, '5555555555554444', '14.36');
    },
    /** Gives store credit to a customer. */
    giveCredit: (customerId: string) => core.giftCards.give(cashier, { merchantId, customerId, amount: '15.00', reason: 'Order was late' }),
    /** Parks a sale of a customer, which any till can resume. */
    async park(customerId: string): Promise<void> {
      const { orderId } = await core.orders.create(cashier, {
        merchantId,
        customerId,
        lineItems: linesOf({ FW: 2, TEA: 1, CR: 3 }),
      });
      await core.orders.park(cashier, orderId, { name: 'Table 4' });
    },
  };
}
