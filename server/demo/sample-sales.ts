import type { Core } from '#core';
import { type Actor, tenantTime } from '#core/kernel';
import type { PaymentInput, Transaction } from '#core/payments';
import type { Composition } from '../compose.ts';
import { dice } from './dice.ts';
import { seedCustomers } from './sample-customers.ts';

const SAMPLE_DAYS = 92;
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** Midnight in America is some hours after that of UTC. */
const CUTOFF_PASSED_MS = 12 * HOUR_MS;
/** Refunds follow a sale by hours, never into the future. */
/** Lifetime of an authorization without a capture. */
const HOLD_MS = 7 * DAY_MS;
const REFUND_AFTER_MS = 5 * HOUR_MS;

const CARDS = ['4111111111111111', '4242424242424242', '5555555555554444', '378282246310005', '6011111111111117'];
const DECLINING = ['4000000000000002', '4000000000009995', '4000000000000069', '4000000000000127'];
const PEOPLE = [
  ['Ada', 'Marlow'],
  ['Ben', 'Okafor'],
  ['Clara', 'Lindqvist'],
  ['Diego', 'Fuentes'],
  ['Esther', 'Novak'],
  ['Farid', 'Haddad'],
  ['Grace', 'Tanaka'],
  ['Henry', 'Walsh'],
] as const;
const ITEMS = [
  'Breakfast for two',
  'Catering deposit',
  'Beans, 1 kg',
  'Gift card',
  'Private table',
  'Grinder service',
  'Pastry box',
  'Espresso course',
];

/**
 * Creates sales of the last days, three months by default, with returning customers, through the same operations as real ones and each at
 * its own hour. The jobs of the running service wait, because they would settle in the present what a past day should settle.
 */
export function seedSales(composition: Composition, tenantId: string, days: number = SAMPLE_DAYS): Promise<void> {
  return composition.core.withoutJobs(tenantId, () => makeSales(composition, tenantId, days));
}

async function makeSales(composition: Composition, tenantId: string, days: number): Promise<void> {
  const clock = { at: 0, now: () => tenantTime(clock.at) };
  const core = composition.coreAt(clock);
  await core.identity.tenants.load();
  const roll = dice(20_261_120);
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(roll() * items.length)] as Item;
  const today = Date.now() - (Date.now() % DAY_MS);
  const actor = clerk(tenantId);
  await core.settlement.beginAt(tenantId, today - days * DAY_MS);
  for (let day = days; day >= 1; day -= 1) {
    clock.at = today - day * DAY_MS + CUTOFF_PASSED_MS;
    await core.settlement.catchUp(tenantId);
    const weekday = new Date(today - day * DAY_MS).getUTCDay();
    const sales = 2 + Math.floor(roll() * (weekday === 0 || weekday === 6 ? 7 : 4));
    for (let sale = 0; sale < sales; sale += 1) {
      clock.at = today - day * DAY_MS + (13 + (9 * sale) / sales + roll() * 0.9) * HOUR_MS;
      clock.at = Math.floor(clock.at);
      const made = await core.payments.sell(actor, saleOf(roll, pick));
      await sequel(core, actor, made, roll, clock);
    }
  }
  clock.at = Date.now();
  await core.settlement.catchUp(tenantId);
  await seedCustomers(core, actor, clock);
}

/** The shop's own clerk; has no request and no key behind it. */
export function clerk(tenantId: string): Actor {
  return {
    tenantId,
    credentialId: 'sample',
    name: 'sample data',
    merchantId: null,
    permissions: new Set(),
    requestId: 'sample',
    ip: null,
    idempotencyKey: null,
  };
}

function saleOf(roll: () => number, pick: <Item>(items: readonly Item[]) => Item): PaymentInput {
  const [firstName, lastName] = pick(PEOPLE);
  const cents = 450 + Math.floor(roll() ** 2 * 18_000);
  const amount = (cents / 100).toFixed(2);
  const common = {
    type: roll() < 0.06 ? ('auth' as const) : ('sale' as const),
    amount,
    customer: { email: `${firstName}.${lastName}@customer.example`.toLowerCase(), name: `${firstName} ${lastName}` },
    orderId: `H-${10_000 + Math.floor(roll() * 89_999)}`,
    description: pick(ITEMS),
  };
  if (roll() < 0.05) {
    return {
      ...common,
      type: 'sale',
      method: {
        kind: 'ach',
        accountNumber: '000123456789',
        routingNumber: '021000021',
        accountType: 'checking',
        accountHolderName: `${firstName} ${lastName}`,
      },
      source: 'keyed',
    };
  }
  const number = roll() < 0.07 ? pick(DECLINING) : pick(CARDS);
  const cvv = number.startsWith('3') ? '1234' : '123';
  return {
    ...common,
    method: { kind: 'card', number, expiryMonth: '08', expiryYear: String(new Date().getUTCFullYear() + 3), cvv },
    billing: { firstName, lastName, address: '12 Harbor Street', city: 'Portland', state: 'ME', zip: '04101', country: 'US' },
    source: roll() < 0.3 ? 'swiped' : 'keyed',
  };
}

/** Makes later changes of some sales: a void, a capture or a refund. */
async function sequel(core: Core, actor: Actor, made: Transaction, roll: () => number, clock: { at: number }): Promise<void> {
  if (made.status !== 'approved') return;
  const { transactionId } = made;
  const chance = roll();
  const later = Math.min(clock.at + REFUND_AFTER_MS, Date.now());
  if (made.type === 'auth') {
    const expiresMs = clock.at + HOLD_MS;
    clock.at = later;
    if (chance < 0.8) await core.payments.capture(actor, { transactionId });
    else if (expiresMs < Date.now()) {
      clock.at = expiresMs;
      await core.payments.voidTransaction(actor, { transactionId, reason: 'authorization_expired' });
    }
  } else if (chance < 0.02) {
    await core.payments.voidTransaction(actor, { transactionId, reason: 'Wrong amount keyed' });
  } else if (chance < 0.07) {
    clock.at = later;
    await core.payments.refund(actor, { transactionId, reason: 'Returned' });
  } else if (chance < 0.1) {
    clock.at = later;
    await core.payments.refund(actor, { transactionId, amount: (made.amount.minor / 200).toFixed(2), reason: 'Part returned' });
  }
}
