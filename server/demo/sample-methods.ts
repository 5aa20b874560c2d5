import type { Core } from '#core';
import { type Actor, ServiceError } from '#core/kernel';
import type { Billing, SamplePayment } from '#core/sales/payments';

const CARDS = 400;
const ACCOUNTS = 20;
const PEOPLE = 2_000;
const DECLINED_SHARE = 0.06;
const ACCOUNT_SHARE = 0.05;
const SWIPED_SHARE = 0.3;

/** Brands with the first digits and the length of their numbers; `below` is the cumulative share. */
const BRANDS = [
  { below: 0.5, first: '47', digits: 16 },
  { below: 0.78, first: '52', digits: 16 },
  { below: 0.9, first: '37', digits: 15 },
  { below: 1, first: '6011', digits: 16 },
] as const;
const DECLINING = ['4000000000000002', '4000000000000069', '4000000000000119', '4000000000000127', '4000000000009995'];
const FIRST_NAMES = ['Ada', 'Ben', 'Clara', 'Diego', 'Esther', 'Farid', 'Grace', 'Henry', 'Ines', 'Jonas', 'Keiko', 'Liam'];
const LAST_NAMES = ['Marlow', 'Okafor', 'Lindqvist', 'Fuentes', 'Novak', 'Haddad', 'Tanaka', 'Walsh', 'Brandt', 'Moreau'];
const ITEMS = ['Breakfast for two', 'Catering deposit', 'Beans, 1 kg', 'Coffee tasting', 'Private table', 'Grinder service', 'Pastry box'];

/** Payment method of a sample sale: a stored card or account, and whether the card is swiped. */
type SampleMethod = Pick<SamplePayment, 'source' | 'token'> & { readonly isSwiped: boolean };

interface Person {
  readonly name: string;
  readonly email: string;
  readonly billing: Billing;
  readonly item: string;
}

/** A few hundred stored cards and accounts that are used by all sales of a sample history. */
export interface SampleMethods {
  pickMethod(random: () => number): SampleMethod;
  pickPerson(random: () => number): Person;
}

/** Creates and stores the cards and accounts. */
export async function createSampleMethods(core: Core, actor: Actor, random: () => number): Promise<SampleMethods> {
  const cards: SampleMethod[] = [];
  while (cards.length < CARDS) cards.push(await storeCard(core, actor, cardNumber(random), random));
  const declining: SampleMethod[] = [];
  for (const number of DECLINING) declining.push(await storeCard(core, actor, number, random));
  const accounts: SampleMethod[] = [];
  while (accounts.length < ACCOUNTS) accounts.push(await storeAccount(core, actor, random));
  const pick = <Item>(items: readonly Item[], rolled: number): Item => items[Math.floor(rolled * items.length)] as Item;
  return {
    pickMethod(each) {
      const [kind, which, how] = [each(), each(), each()];
      if (kind < ACCOUNT_SHARE) return pick(accounts, which);
      const method = pick(kind < ACCOUNT_SHARE + DECLINED_SHARE ? declining : cards, which);
      return { ...method, isSwiped: how < SWIPED_SHARE };
    },
    pickPerson(each) {
      const number = Math.floor(each() * PEOPLE);
      const firstName = FIRST_NAMES[number % FIRST_NAMES.length] as string;
      const lastName = LAST_NAMES[number % LAST_NAMES.length] as string;
      return {
        name: `${firstName} ${lastName}`,
        email: `${firstName}.${lastName}${number}@customer.example`.toLowerCase(),
        billing: { firstName, lastName, address: '12 Harbor Street', city: 'Portland', state: 'ME', zip: '04101', country: 'US' },
        item: pick(ITEMS, each()),
      };
    },
  };
}

const digitsOf = (random: () => number, count: number) => Array.from({ length: count }, () => Math.floor(random() * 10)).join('');

/** Returns a card number of a random brand with a correct check digit. */
function cardNumber(random: () => number): string {
  const rolled = random();
  const { first, digits } = BRANDS.find(({ below }) => rolled < below) as (typeof BRANDS)[number];
  const body = first + digitsOf(random, digits - first.length - 1);
  const sum = [...body].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return `${body}${(10 - (sum % 10)) % 10}`;
}

async function storeCard(core: Core, actor: Actor, number: string, random: () => number): Promise<SampleMethod> {
  const expiryMonth = String(1 + Math.floor(random() * 12)).padStart(2, '0');
  const expiryYear = String(new Date().getUTCFullYear() + 1 + Math.floor(random() * 4));
  const cvv = number.length === 15 ? '1234' : '123';
  const source = core.vault.checkCard(actor.tenantId, { number, expiryMonth, expiryYear, cvv });
  const { token } = await core.vault.tokenizeCard(actor, { number, expiryMonth, expiryYear });
  return { source, token, isSwiped: false };
}

async function storeAccount(core: Core, actor: Actor, random: () => number): Promise<SampleMethod> {
  const accountNumber = `0001234${digitsOf(random, 4)}9`;
  const source = core.vault.checkBankAccount({
    accountNumber,
    routingNumber: '021000021',
    accountType: 'checking',
    accountHolderName: 'Ada Marlow',
  });
  const { merchantId } = actor;
  if (merchantId !== null)
    throw new ServiceError('MERCHANT_NOT_AUTHORIZED', 'Sample history can be created only by a user of the whole account.');
  const sealed = await core.vault.seal(actor.tenantId, source, { merchantId });
  await core.database.unitOfWork.transaction(actor.tenantId, (work) => core.vault.write(work, sealed));
  return { source, token: sealed.token, isSwiped: false };
}
