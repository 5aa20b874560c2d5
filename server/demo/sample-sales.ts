import type { Core } from '#core';
import { type Actor, tenantTime } from '#core/kernel';
import type { PaymentInput, Transaction } from '#core/sales/payments';
import type { Composition } from '#server/operation';
import { seededRandom } from './random.ts';
import { createSampleBusiness, type SampleBusiness } from './sample-business.ts';
import { seedCustomers } from './sample-customers.ts';

const SAMPLE_DAYS = 92;
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** Time of day (UTC) at which midnight has passed in all American time zones. */
const CUTOFF_PASSED_MS = 12 * HOUR_MS;
/** Lifetime of an authorization without a capture. */
const HOLD_MS = 7 * DAY_MS;
/** Time from a sale to its refund, which is never in the future. */
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
  'Coffee tasting',
  'Private table',
  'Grinder service',
  'Pastry box',
  'Espresso course',
];

/**
 * Creates sales of the last days, three months by default, with returning customers, through the same operations as real ones and each at
 * its own hour. The jobs of the running service wait meanwhile, because they would settle sales of past days with the present date.
 */
export function seedSales(composition: Composition, tenantId: string, days: number = SAMPLE_DAYS): Promise<void> {
  return composition.core.withoutJobs(tenantId, () => makeSales(composition, tenantId, days));
}

/**
 * Same, with everything that a running business has beside its sales: users, subscriptions, invoices, payouts, refunds that wait, compared
 * settlements. `passwordOf` returns the passwords of the users.
 */
export function seedBusiness(
  composition: Composition,
  { tenantId, merchantId }: { readonly tenantId: string; readonly merchantId: string },
  passwordOf: (email: string) => string,
): Promise<void> {
  return composition.core.withoutJobs(tenantId, () =>
    makeSales(composition, tenantId, SAMPLE_DAYS, (core, clock) => createSampleBusiness({ core, tenantId, merchantId, clock, passwordOf })),
  );
}

async function makeSales(
  composition: Composition,
  tenantId: string,
  days: number,
  businessOf?: (core: Core, clock: { at: number }) => SampleBusiness,
): Promise<void> {
  const clock = { at: 0, now: () => tenantTime(clock.at) };
  const core = composition.coreAt(clock);
  await core.identity.tenants.load();
  const random = seededRandom(20_261_120);
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
  const today = Date.now() - (Date.now() % DAY_MS);
  const actor = sampleActor(tenantId);
  const business = businessOf?.(core, clock);
  await core.settlement.beginAt(tenantId, today - days * DAY_MS);
  clock.at = today - days * DAY_MS;
  await core.terminals.pair(actor, { code: 'SIM123', name: 'Counter 1' });
  await business?.begin();
  const customers = business === undefined ? new Map<string, string>() : await seedCustomers(core, actor, clock);
  for (let day = days; day >= 1; day -= 1) {
    await passTo(today - day * DAY_MS + CUTOFF_PASSED_MS);
    await business?.everyDay(day, customers);
    const weekday = new Date(today - day * DAY_MS).getUTCDay();
    const sales = 2 + Math.floor(random() * (weekday === 0 || weekday === 6 ? 7 : 4));
    for (let sale = 0; sale < sales; sale += 1) {
      clock.at = Math.floor(today - day * DAY_MS + (13 + (9 * sale) / sales + random() * 0.9) * HOUR_MS);
      const made = await core.payments.createPayment(actor, saleOf(random, pick, customers));
      await makeFollowUp(core, actor, made, random, clock, business === undefined);
    }
  }
  await passTo(Date.now());
  if (business === undefined) await seedCustomers(core, actor, clock);
  await business?.finish(customers);

  /** Lets time pass: settlements are made, and for a business everything else that becomes due meanwhile. */
  async function passTo(ms: number): Promise<void> {
    if (business === undefined) {
      clock.at = ms;
      await core.settlement.catchUp(tenantId);
      return;
    }
    await core.runUntil(tenantId, ms, async (dueMs) => {
      clock.at = Math.max(clock.at, dueMs);
    });
    clock.at = Math.max(clock.at, ms);
  }
}

/** Returns the actor of sample data, which has no request, user or key. */
export function sampleActor(tenantId: string): Actor {
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

function saleOf(random: () => number, pick: <Item>(items: readonly Item[]) => Item, customers: ReadonlyMap<string, string>): PaymentInput {
  const [firstName, lastName] = pick(PEOPLE);
  const cents = 450 + Math.floor(random() ** 2 * 18_000);
  const amount = (cents / 100).toFixed(2);
  const email = `${firstName}.${lastName}@customer.example`.toLowerCase();
  const common = {
    customerId: customers.get(email),
    type: random() < 0.06 ? ('auth' as const) : ('sale' as const),
    amount,
    customer: { email, name: `${firstName} ${lastName}` },
    orderId: `H-${10_000 + Math.floor(random() * 89_999)}`,
    description: pick(ITEMS),
  };
  if (random() < 0.05) {
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
  const number = random() < 0.07 ? pick(DECLINING) : pick(CARDS);
  const cvv = number.startsWith('3') ? '1234' : '123';
  return {
    ...common,
    ...partsOf(cents),
    method: { kind: 'card', number, expiryMonth: '08', expiryYear: String(new Date().getUTCFullYear() + 3), cvv },
    billing: { firstName, lastName, address: '12 Harbor Street', city: 'Portland', state: 'ME', zip: '04101', country: 'US' },
    source: random() < 0.3 ? 'swiped' : 'keyed',
  };
}

/** Returns sales tax within the amount of every second card sale, and a tip within every fourth. */
function partsOf(cents: number): Pick<PaymentInput, 'tipAmount' | 'taxAmount'> {
  const share = (percent: number) => (Math.floor((cents * percent) / 100) / 100).toFixed(2);
  return { ...(cents % 2 === 0 && { taxAmount: share(5) }), ...(cents % 4 === 0 && { tipAmount: share(13) }) };
}

/** Voids, captures or refunds some of the sales. */
async function makeFollowUp(
  core: Core,
  actor: Actor,
  made: Transaction,
  random: () => number,
  clock: { at: number },
  isExpiredHere: boolean,
): Promise<void> {
  if (made.status !== 'approved') return;
  const { transactionId } = made;
  const chance = random();
  const later = Math.min(clock.at + REFUND_AFTER_MS, Date.now());
  if (made.type === 'auth') {
    const expiresMs = clock.at + HOLD_MS;
    clock.at = later;
    if (chance < 0.8) await core.payments.capture(actor, { transactionId });
    else if (isExpiredHere && expiresMs < Date.now()) {
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
