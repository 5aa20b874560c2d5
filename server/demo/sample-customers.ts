import type { Core } from '#core';
import type { Actor } from '#core/kernel';

const DAY_MS = 86_400_000;
const KNOWN_DAYS = 60;
const CONSENT = 'I authorize Harbor Street Coffee to store this card and to charge it for purchases I agree to.';

interface Sample {
  readonly firstName: string;
  readonly lastName: string;
  readonly company?: string;
  readonly phone?: string;
  /** Number of months until the card expires. */
  readonly monthsLeft: number;
  readonly number: string;
}

const PEOPLE: readonly Sample[] = [
  {
    firstName: 'Ada',
    lastName: 'Marlow',
    phone: '+12075550110',
    monthsLeft: 30,
    number: '4111111111111111',
  },
  {
    firstName: 'Ben',
    lastName: 'Okafor',
    company: 'Okafor Design',
    phone: '+12075550111',
    monthsLeft: 1,
    number: '5555555555554444',
  },
  { firstName: 'Clara', lastName: 'Lindqvist', monthsLeft: 14, number: '378282246310005' },
  {
    firstName: 'Diego',
    lastName: 'Fuentes',
    phone: '+12075550113',
    monthsLeft: 20,
    number: '4000000000009995',
  },
  { firstName: 'Esther', lastName: 'Novak', company: 'Novak & Daughters', monthsLeft: 0, number: '6011111111111117' },
  {
    firstName: 'Farid',
    lastName: 'Haddad',
    monthsLeft: 33,
    number: '4242424242424242',
  },
  { firstName: 'Grace', lastName: 'Tanaka', phone: '+12075550116', monthsLeft: 8, number: '5555555555554444' },
  { firstName: 'Henry', lastName: 'Walsh', monthsLeft: 26, number: '4111111111111111' },
];

/**
 * Creates customers with a card on file, with a core whose clock is `clock`. None of them has a subscription, because a user who moves the
 * test clock would then run jobs of records that they did not create.
 */
export async function seedCustomers(core: Core, actor: Actor, clock: { at: number }): Promise<ReadonlyMap<string, string>> {
  const now = Date.now();
  const customers = new Map<string, string>();
  clock.at = Math.min(clock.at, now - KNOWN_DAYS * DAY_MS);
  for (const { firstName, lastName, company, phone, monthsLeft, number } of PEOPLE) {
    const email = `${firstName}.${lastName}@customer.example`.toLowerCase();
    const { customerId } = await core.customers.create(actor, { firstName, lastName, email, company, phone });
    customers.set(email, customerId);
    const ends = new Date(now);
    ends.setUTCMonth(ends.getUTCMonth() + monthsLeft, 1);
    const card = { number, expiryMonth: String(ends.getUTCMonth() + 1).padStart(2, '0'), expiryYear: String(ends.getUTCFullYear()) };
    await core.customers.addMethod(actor, customerId, { card, consentText: CONSENT });
  }
  return customers;
}
