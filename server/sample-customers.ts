import type { Core } from '#core';
import type { Actor } from '#core/kernel';
import type { Frequency } from '#core/recurring';

const DAY_MS = 86_400_000;
const CONSENT = 'I authorize Harbor Street Coffee to store this card and to charge it for purchases I agree to.';

interface Sample {
  readonly firstName: string;
  readonly lastName: string;
  readonly company?: string;
  readonly phone?: string;
  /** How many months the card is good for still. */
  readonly monthsLeft: number;
  readonly number: string;
  readonly plan?: { readonly name: string; readonly amount: string; readonly frequency: Frequency; readonly daysAgo: number };
}

const PEOPLE: readonly Sample[] = [
  {
    firstName: 'Ada',
    lastName: 'Marlow',
    phone: '+12075550110',
    monthsLeft: 30,
    number: '4111111111111111',
    plan: { name: 'Beans every month', amount: '38.00', frequency: 'monthly', daysAgo: 12 },
  },
  {
    firstName: 'Ben',
    lastName: 'Okafor',
    company: 'Okafor Design',
    phone: '+12075550111',
    monthsLeft: 1,
    number: '5555555555554444',
    plan: { name: 'Office breakfast', amount: '124.50', frequency: 'weekly', daysAgo: 3 },
  },
  { firstName: 'Clara', lastName: 'Lindqvist', monthsLeft: 14, number: '378282246310005' },
  {
    firstName: 'Diego',
    lastName: 'Fuentes',
    phone: '+12075550113',
    monthsLeft: 20,
    number: '4000000000009995',
    plan: { name: 'Beans every month', amount: '38.00', frequency: 'monthly', daysAgo: 0.02 },
  },
  { firstName: 'Esther', lastName: 'Novak', company: 'Novak & Daughters', monthsLeft: 0, number: '6011111111111117' },
  {
    firstName: 'Farid',
    lastName: 'Haddad',
    monthsLeft: 33,
    number: '4242424242424242',
    plan: { name: 'Grinder service', amount: '210.00', frequency: 'annually', daysAgo: 40 },
  },
  { firstName: 'Grace', lastName: 'Tanaka', phone: '+12075550116', monthsLeft: 8, number: '5555555555554444' },
  { firstName: 'Henry', lastName: 'Walsh', monthsLeft: 26, number: '4111111111111111' },
];

/** Customers with a card on file, some of whom are billed again and again. Made at their own hours by a core whose clock is `clock`. */
export async function seedCustomers(core: Core, by: Actor, clock: { at: number }): Promise<void> {
  const now = Date.now();
  for (const { firstName, lastName, company, phone, monthsLeft, number, plan } of PEOPLE) {
    clock.at = now - (plan?.daysAgo ?? 60) * DAY_MS;
    const email = `${firstName}.${lastName}@customer.example`.toLowerCase();
    const { customerId } = await core.customers.create(by, { firstName, lastName, email, company, phone });
    const ends = new Date(now);
    ends.setUTCMonth(ends.getUTCMonth() + monthsLeft, 1);
    const card = { number, expiryMonth: String(ends.getUTCMonth() + 1).padStart(2, '0'), expiryYear: String(ends.getUTCFullYear()) };
    await core.customers.addMethod(by, customerId, { card, consentText: CONSENT });
    if (plan) await core.recurring.create(by, { customerId, planId: plan.name, amount: plan.amount, frequency: plan.frequency });
  }
}
