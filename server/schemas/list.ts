import { Type } from 'typebox';
import { sortsOf } from '#core/database';
import { literals } from '#core/platform/fields';
import type { TransactionFilter } from '#core/sales/payments';
import { CHANNELS } from '#shared/channels';
import { CustomerIdIn, DateIn, DateQuery, MerchantIn, PageQuery, Text } from './fields.ts';
import { withoutPage } from './page.ts';

const digits = (description: string) => Type.Optional(Type.String({ pattern: '^\\d{1,11}(\\.\\d{1,4})?$', description }));
/** Returns the schema of an optional query parameter with a fixed list of values. */
export const oneOf = <const Words extends readonly string[]>(...words: Words) =>
  Type.Optional(literals(words, `one of ${words.join(', ')}`));

/** Returns the schema of the parameter `sort` of a list by some fields. @param usual The order without the parameter. */
export const sortBy = (usual: string, ...fields: readonly string[]) =>
  Type.Optional(
    literals(
      sortsOf(...fields),
      `Order by a field, or with \`-\` in reverse; by default \`${usual}\`. Records without a value are last. A cursor belongs to the order of its list`,
    ),
  );

/** Filters of transactions, in their list on every surface and in their exports. */
export const TransactionFilters = {
  ...DateQuery,
  status: oneOf('pending', 'approved', 'declined', 'voided', 'failed', 'settled', 'authorized'),
  settlementDate: Type.Optional(DateIn('a day, YYYY-MM-DD')),
  settlementId: Type.Optional(Text(60, 'settlement that the transaction belongs to')),
  shiftId: Type.Optional(Text(60, 'shift in which the payment was made')),
  terminalId: Type.Optional(Text(60, 'card reader on which the customer paid')),
  createdBy: Type.Optional(Text(254, 'email address of the person, or name of the API key, that made the payment')),
  settled: Type.Optional(literals(['true', 'false'], 'false: captured, but in no settlement yet')),
  type: oneOf('sale', 'auth', 'credit'),
  paymentMethod: oneOf('card', 'ach', 'token'),
  channel: oneOf(...CHANNELS),
  refundStatus: oneOf('none', 'partial', 'full'),
  last4: Type.Optional(Type.String({ pattern: '^\\d{4}$', description: 'four digits' })),
  brand: Type.Optional(Text(40, 'card brand in lower case; `ach` for bank accounts')),
  declineCode: Type.Optional(Text(40, 'Decline code')),
  capturedFrom: Type.Optional(DateIn('a day, YYYY-MM-DD: payments captured on or after it')),
  capturedTo: Type.Optional(DateIn('last day, inclusive')),
  refundedFrom: Type.Optional(DateIn('a day, YYYY-MM-DD: payments refunded on or after it')),
  refundedTo: Type.Optional(DateIn('last day, inclusive')),
  minAmount: digits('a decimal amount'),
  maxAmount: digits('a decimal amount'),
  q: Type.Optional(Text(200, 'an ID, last four digits, an exact amount, an email address or an order ID')),
  merchantId: MerchantIn,
  customerId: Type.Optional(CustomerIdIn),
};
/** Query of the transaction list, on every surface. */
export const ListQuery = Type.Object({ ...PageQuery, ...TransactionFilters, sort: sortBy('-createdAt', 'createdAt', 'amount') });

/** Returns the filter of a validated query. */
export function filterFrom(
  query: Omit<Type.Static<typeof ListQuery>, 'paymentMethod'> & { readonly paymentMethod?: string },
): TransactionFilter {
  const { minAmount, maxAmount, ...rest } = withoutPage(query);
  const filter = rest as TransactionFilter;
  return { ...filter, ...(minAmount ? { minAmount } : {}), ...(maxAmount ? { maxAmount } : {}) };
}
