import { type Condition, conditionsOn, listOf, queriesOn, TENANT, type Work } from '#core/database';
import { foldLetters } from '#shared/fold-letters';
import type { Dependencies } from './dependencies.ts';
import { CUSTOMER_WORDS, CUSTOMERS, type CustomerRow, EXTERNAL_IDS, type MethodRow } from './schema.ts';

/** Number of IDs, also repeated ones, that are listed instead of a query. */
const IDS_MAX = 512;
const WORDS_MAX = 100;
const NAME_WORDS_MAX = 40;
const WORD_MAX = 60;
/** Numbers of last digits by which a phone number is found, besides the whole number. */
const PHONE_ENDING_LENGTHS = [10, 7, 4] as const;
const PHONE_LIKE = /^[+(\d][\d\s().-]{3,}$/;

/** Returns a text in basic letters of lower case, without apostrophes. */
const normalized = (text: string): string => foldLetters(text.replace(/['’]/g, ''));

/** Returns the words of a text. Email addresses stay whole. */
function wordsIn(text: string): string[] {
  return normalized(text)
    .split(/[\s,;<>()]+/)
    .flatMap((part) => (part.includes('@') ? [part] : part.split(/[^\p{L}\p{N}._+]+/u).map((word) => word.replace(/^[._+]+|[._+]+$/g, ''))))
    .filter((word) => word !== '');
}

/** Returns the words of a search text. A customer matches if, for each of them, one of its words starts with it. */
function wordsOfSearch(text: string): string[] {
  const trimmed = text.trim();
  const found = PHONE_LIKE.test(trimmed) ? [trimmed.replace(/\D/g, '')] : wordsIn(trimmed);
  return found
    .filter((word) => word !== '')
    .slice(0, WORDS_MAX)
    .map((word) => word.slice(0, WORD_MAX));
}

type SearchableMethod = Pick<MethodRow, 'last4' | 'external_id'>;
type SearchableCustomer = Pick<CustomerRow, 'first_name' | 'last_name' | 'company' | 'email' | 'phone'>;

/**
 * Returns the words by which a customer is found: names, company, email address, phone number, the last four digits of the payment methods, and
 * identifiers at earlier providers.
 */
function wordsOf(customer: SearchableCustomer, methods: readonly SearchableMethod[], externalIds: readonly string[]): string[] {
  const { first_name, last_name, company, email, phone } = customer;
  const digits = (phone ?? '').replace(/\D/g, '');
  const words = [
    // The email address comes first, whole and in parts, so that long names cannot exceed the limit before it.
    ...(email === null ? [] : [normalized(email), ...email.split('@').flatMap(wordsIn)]),
    ...[first_name, last_name, company].flatMap((text) => wordsIn(text ?? '')).slice(0, NAME_WORDS_MAX),
    ...(digits === ''
      ? []
      : [digits, ...PHONE_ENDING_LENGTHS.filter((length) => digits.length > length).map((length) => digits.slice(-length))]),
    ...methods.map(({ last4 }) => last4),
    ...[...externalIds, ...methods.flatMap(({ external_id }) => external_id ?? [])].flatMap(wordsIn),
  ];
  return [...new Set(words.map((word) => word.slice(0, WORD_MAX)))].slice(0, WORDS_MAX);
}

const hexOf = (word: string) => Buffer.from(word).toString('hex');

/** Updates the search words of a customer. */
export async function updateSearchWords(work: Work, row: CustomerRow, methods: readonly SearchableMethod[]): Promise<void> {
  const externalIds = await work.find(EXTERNAL_IDS, { customer_id: row.id });
  await work.delete(CUSTOMER_WORDS, { customer_id: row.id });
  const words = wordsOf(
    row,
    methods,
    externalIds.map(({ external_id }) => external_id),
  );
  for (const word of words) work.insert(CUSTOMER_WORDS, { tenant_id: row.tenant_id, word: hexOf(word), customer_id: row.id });
}

const queries = queriesOn(CUSTOMER_WORDS);
const customer = conditionsOn(CUSTOMERS);

/** Returns the query for the customers one of whose words starts with a word. */
const customersWith = (word: string) =>
  queries
    .selectFrom('customer_words')
    .select('customer_id')
    .where('tenant_id', '=', TENANT)
    .where('word', '>=', word)
    // The last hexadecimal digit is f, so `g` sorts after all of them.
    .where('word', '<', `${word}g`);

/** Returns conditions on customers, one for each word of a search text; none if nothing is searched for. */
export function searchConditions(text: string): Condition[] {
  const found = customerIdsMatching(text);
  return found === null ? [] : [customer('id', 'in', found)];
}

/**
 * Returns the IDs of the customers that a search text finds: the IDs themselves if they are few, so that records of these customers are found by their index,
 * otherwise a part of a query of the tenant; null if nothing is searched for. PostgreSQL cannot estimate such a part: it would read all records in their
 * order until a page is full.
 */
export async function foundBy(
  { database }: Pick<Dependencies, 'database'>,
  tenantId: string,
  text: string,
): Promise<readonly string[] | ReturnType<typeof customersWith> | null> {
  const matching = customerIdsMatching(text);
  if (matching === null) return null;
  const rows = await database.read(tenantId).heavy.rows(matching.limit(IDS_MAX + 1));
  if (rows.length > IDS_MAX) return matching;
  return listOf(rows.length === 0 ? [''] : rows.map(({ customer_id }) => customer_id));
}

/** Returns the query for the IDs of the customers that a search text finds, some repeatedly; null if nothing is searched for. */
function customerIdsMatching(text: string): ReturnType<typeof customersWith> | null {
  const [first, ...others] = wordsOfSearch(text).map(hexOf);
  // A search text without a searchable word finds nothing.
  if (first === undefined) return text.trim() === '' ? null : customersWith('').where(customer.lit(false));
  return others.reduce((found, word) => found.where('customer_id', 'in', customersWith(word)), customersWith(first));
}
