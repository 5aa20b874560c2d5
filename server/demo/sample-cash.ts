import type { Core } from '#core';
import type { Actor } from '#core/kernel';
import { sampleGiftCards } from './sample-gift-cards.ts';

const MINUTE_MS = 60_000;
const FRONT_DESK = 'front-desk@demo.example';
const DRAWER = { drawer: 'Counter' } as const;

interface SampleDrawer {
  readonly core: Core;
  readonly actor: Actor;
  readonly merchantId: string;
  readonly clock: { at: number };
  /** IDs of the items by their keys. */
  readonly items: ReadonlyMap<string, string>;
  /** Returns the ID of a customer by the first part of the email address. */
  readonly customerOf: (person: string) => string;
}

/**
 * Adds a morning at the cash drawer that ends now: a float, cash, a check, a gift card that is sold and then pays a
 * part of a sale, a refund, an opening without a sale, a count that is short by a coin, and a sale that is parked.
 */
export async function addSampleCash({ core, actor, merchantId, clock, items, customerOf }: SampleDrawer): Promise<void> {
  const cashier: Actor = { ...actor, name: FRONT_DESK };
  const itemOf = (key: string) => ({ itemId: items.get(key) ?? '' });
  const end = clock.at;
  const at = (minutesBefore: number) => {
    clock.at = end - minutesBefore * MINUTE_MS;
  };
  const giftCards = sampleGiftCards({ core, cashier, merchantId, clock, items });
  at(110);
  const { shiftId } = await core.shifts.open(cashier, {
    ...DRAWER,
    merchantId,
    count: [
      { denomination: 20, quantity: 5 },
      { denomination: 5, quantity: 20 },
    ],
  });
  at(95);
  await core.tenders.create(cashier, {
    ...DRAWER,
    merchantId,
    kind: 'cash',
    amount: '17.28',
    amountGiven: '20',
    description: 'Breakfast for two',
    lineItems: ['FW', 'CR'].map((key) => ({ ...itemOf(key), quantity: 2 })),
  });
  at(88);
  await core.receipts.openDrawer(cashier, { ...DRAWER, merchantId, reason: 'Change for the parking meter' });
  at(84);
  const code = await giftCards.sell();
  at(80);
  const pastries = await core.tenders.create(cashier, {
    ...DRAWER,
    merchantId,
    kind: 'cash',
    amount: '32.50',
    amountGiven: '40',
    description: 'Pastry box',
  });
  at(65);
  await core.tenders.create(cashier, {
    ...DRAWER,
    merchantId,
    kind: 'check',
    amount: '86.00',
    checkNumber: '1042',
    checkBank: 'First Harbor Bank',
  });
  at(50);
  await giftCards.split(code);
  at(45);
  await giftCards.giveCredit(customerOf('grace.tanaka'));
  at(40);
  await core.tenders.refund(cashier, pastries.tenderId, { amount: '6.50', reason: 'One box missing' });
  at(30);
  await core.shifts.payOut(cashier, shiftId, { amount: '12.00', reason: 'Milk' });
  at(15);
  await core.shifts.close(cashier, shiftId, {
    count: [
      { denomination: 20, quantity: 7 },
      { denomination: 5, quantity: 17 },
      { denomination: 1, quantity: 6 },
      { denomination: '0.01', quantity: 3 },
    ],
  });
  await core.shifts.explain(cashier, shiftId, 'A quarter too much given as change');
  at(5);
  await giftCards.park(customerOf('esther.novak'));
  clock.at = end;
}
