import { createHash } from 'node:crypto';
import { listOf, queriesOn, type Read, TENANT } from '#core/database';
import { READABLE_CUSTOMERS, READABLE_EXTERNAL_IDS, READABLE_METHODS } from '#core/sales/customers';
import { foldLetters } from '#shared/fold-letters';
import type { ImportRecord } from './files/index.ts';
import type { Known } from './plan.ts';

const queries = queriesOn(READABLE_CUSTOMERS, READABLE_EXTERNAL_IDS, READABLE_METHODS);

/** A record with the fingerprint of its number; null if it has none. */
export interface Fingerprinted {
  readonly record: ImportRecord;
  readonly fingerprint: string | null;
}

/** Returns a hash of the identifier that a customer has in a file, or of the email address and the name. */
export function customerKeyOf({ ids: [first], customer }: Pick<ImportRecord, 'ids' | 'customer'>): string {
  const identity = first === undefined ? `email|${customer.email}|${nameKey(customer)}` : `${first.source}|${first.id}`;
  return createHash('sha256').update(identity).digest('base64url').slice(0, 27);
}

/** Reads the stored customers and methods that at most 512 records meet, in their order. */
export async function knownOf(read: Read, merchantId: string, items: readonly Fingerprinted[]): Promise<Known[]> {
  const ids = [...new Set(items.flatMap(({ record }) => record.ids.slice(0, 1).map(({ id }) => id)))];
  const fingerprints = [...new Set(items.flatMap(({ fingerprint }) => fingerprint ?? []))];
  const emails = [...new Set(items.flatMap(({ record }) => record.customer.email ?? []))];
  const externals = ids.length === 0 ? [] : await read.rows(externalsQuery(merchantId, ids));
  const own = ids.length === 0 ? [] : await read.rows(ownQuery(merchantId, ids));
  const methods = fingerprints.length === 0 ? [] : await read.rows(methodsQuery(merchantId, fingerprints));
  const people = emails.length === 0 ? [] : await read.rows(peopleQuery(merchantId, emails));
  return items.map(({ record, fingerprint }) => {
    const [first] = record.ids;
    const external = externals.find(({ source, external_id }) => source === first?.source && external_id === first.id);
    const self = first?.source === 'paydesk' ? own.find(({ id }) => id === first.id) : undefined;
    const name = nameKey(record.customer);
    const same = people.filter((person) => person.email === record.customer.email && nameKey(rowName(person)) === name);
    return {
      customerId: external?.customer_id ?? self?.id ?? (same.length === 1 ? (same[0]?.id ?? null) : null),
      methods: methods
        .filter((method) => method.fingerprint === fingerprint)
        .map((method) => ({
          customerId: method.customer_id,
          expiryMonth: method.expiry_month,
          expiryYear: method.expiry_year,
          networkTransactionId: method.network_transaction_id,
        })),
    };
  });
}

const externalsQuery = (merchantId: string, ids: readonly string[]) =>
  queries
    .selectFrom('customer_external_ids')
    .select(['source', 'external_id', 'customer_id'])
    .where('tenant_id', '=', TENANT)
    .where('merchant_id', '=', merchantId)
    .where('external_id', 'in', listOf(ids));

/** A file of Paydesk names the customers of this account by their own IDs. */
const ownQuery = (merchantId: string, ids: readonly string[]) =>
  queries
    .selectFrom('customers')
    .select('id')
    .where('tenant_id', '=', TENANT)
    .where('merchant_id', '=', merchantId)
    .where('id', 'in', listOf(ids))
    .where('deleted_at', 'is', null);

const methodsQuery = (merchantId: string, fingerprints: readonly string[]) =>
  queries
    .selectFrom('payment_methods')
    .select(['customer_id', 'fingerprint', 'expiry_month', 'expiry_year', 'network_transaction_id'])
    .where('tenant_id', '=', TENANT)
    .where('merchant_id', '=', merchantId)
    .where('fingerprint', 'in', listOf(fingerprints))
    // With the ID alone, SQLite reads all payment methods of the tenant in this order.
    .orderBy('fingerprint')
    .orderBy('id');

const peopleQuery = (merchantId: string, emails: readonly string[]) =>
  queries
    .selectFrom('customers')
    .select(['id', 'email', 'first_name', 'last_name', 'company'])
    .where('tenant_id', '=', TENANT)
    .where('merchant_id', '=', merchantId)
    .where('email', 'in', listOf(emails))
    .where('deleted_at', 'is', null);

interface Name {
  readonly firstName?: string | null;
  readonly lastName?: string | null;
  readonly company?: string | null;
}

const rowName = (row: { first_name: string | null; last_name: string | null; company: string | null }): Name => ({
  firstName: row.first_name,
  lastName: row.last_name,
  company: row.company,
});

/** Returns a name by which two customers with the same email address are the same. */
const nameKey = ({ firstName, lastName, company }: Name): string =>
  [firstName, lastName, company]
    .map((part) => foldLetters((part ?? '').trim()))
    .filter((part) => part !== '')
    .join(' ');
