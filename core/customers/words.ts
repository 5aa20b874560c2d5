import { type Condition, conditionsOn, queriesOn, TENANT, type Work } from '#core/database';
import { CUSTOMER_WORDS, CUSTOMERS, type CustomerRow, type MethodRow } from './schema.ts';

const WORDS_MAX = 100;
const NAME_WORDS_MAX = 40;
const WORD_MAX = 60;
/** A number is found by its whole and by what people read out of it. */
const PHONE_ENDS = [10, 7, 4] as const;
const PHONE_LIKE = /^[+\d][\d\s().-]{3,}$/;

/** Letters without marks and case, digits, and what an e-mail address has; apostrophes join. */
function plain(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[\p{M}'’]/gu, '')
    .toLowerCase();
}

/** Words, and addresses as they are. */
function split(text: string): string[] {
  return plain(text)
    .split(/[\s,;<>()]+/)
    .flatMap((part) => (part.includes('@') ? [part] : part.split(/[^\p{L}\p{N}._+]+/u).map((word) => word.replace(/^[._+]+|[._+]+$/g, ''))))
    .filter((word) => word !== '');
}

/** The words of a search text, all of which a customer must have a word beginning with. */
function wordsOfSearch(text: string): string[] {
  const trimmed = text.trim();
  const found = PHONE_LIKE.test(trimmed) ? [trimmed.replace(/\D/g, '')] : split(trimmed);
  return found
    .filter((word) => word !== '')
    .slice(0, WORDS_MAX)
    .map((word) => word.slice(0, WORD_MAX));
}

type Named = Pick<CustomerRow, 'first_name' | 'last_name' | 'company' | 'email' | 'phone'>;

/** The words that a customer is found by: names, company, e-mail address, phone number and the last four digits of what is on file. */
function wordsOf(customer: Named, methods: readonly Pick<MethodRow, 'last4'>[]): string[] {
  const { first_name, last_name, company, email, phone } = customer;
  const digits = (phone ?? '').replace(/\D/g, '');
  const words = [
    // The address first, whole and in its parts: names of many words must not push it out.
    ...(email === null ? [] : [plain(email), ...email.split('@').flatMap(split)]),
    ...[first_name, last_name, company].flatMap((text) => split(text ?? '')).slice(0, NAME_WORDS_MAX),
    ...(digits === '' ? [] : [digits, ...PHONE_ENDS.filter((length) => digits.length > length).map((length) => digits.slice(-length))]),
    ...methods.map(({ last4 }) => last4),
  ];
  return [...new Set(words.map((word) => word.slice(0, WORD_MAX)))].slice(0, WORDS_MAX);
}

const hexOf = (word: string) => Buffer.from(word).toString('hex');

/** Updates the search words of a customer. */
export async function keepWords(work: Work, row: CustomerRow, methods: readonly Pick<MethodRow, 'last4'>[]): Promise<void> {
  await work.delete(CUSTOMER_WORDS, { customer_id: row.id });
  for (const word of wordsOf(row, methods))
    work.insert(CUSTOMER_WORDS, { tenant_id: row.tenant_id, word: hexOf(word), customer_id: row.id });
}

const queries = queriesOn(CUSTOMERS, CUSTOMER_WORDS);
const customer = conditionsOn(CUSTOMERS);

/** Returns conditions on customers, one for each word of a search text; none if nothing is searched for. */
export function searchConditions(text: string): Condition[] {
  const words = wordsOfSearch(text).map(hexOf);
  // The search text contains no searchable word.
  if (words.length === 0 && text.trim() !== '') return [customer.lit(false)];
  // Hexadecimal digits end at f, so `g` is behind all of them.
  return words.map((word) =>
    customer(
      'id',
      'in',
      queries
        .selectFrom('customer_words')
        .select('customer_id')
        .where('tenant_id', '=', TENANT)
        .where('word', '>=', word)
        .where('word', '<', `${word}g`),
    ),
  );
}

/** Returns the ids of the customers that a search text finds, as part of a query of the tenant; null if nothing is searched for. */
export function foundBy(text: string) {
  const conditions = searchConditions(text);
  if (conditions.length === 0) return null;
  return queries
    .selectFrom('customers')
    .select('id')
    .where('tenant_id', '=', TENANT)
    .where(({ and }) => and(conditions));
}
