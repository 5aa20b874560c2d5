import { Type } from 'typebox';
import type { TransactionFilter } from '#core/payments';
import { DateIn, DateQuery, PageQuery, Text } from './fields.ts';

const digits = (description: string) => Type.Optional(Type.String({ pattern: '^\\d{1,11}(\\.\\d{1,4})?$', description }));
/** One of a closed list of words. */
export const oneOf = (...values: string[]) =>
  Type.Optional(
    Type.Union(
      values.map((value) => Type.Literal(value)),
      { description: `one of ${values.join(', ')}` },
    ),
  );

/** Filters of the transaction list, on every surface. */
export const ListQuery = Type.Object({
  ...PageQuery,
  ...DateQuery,
  status: oneOf('pending', 'approved', 'declined', 'voided', 'failed', 'settled'),
  settlementDate: Type.Optional(DateIn('a day, YYYY-MM-DD')),
  settlementId: Type.Optional(Text(60, 'the settlement that it belongs to')),
  settled: Type.Optional(
    Type.Union([Type.Literal('true'), Type.Literal('false')], { description: 'false: captured, and in no settlement yet' }),
  ),
  type: oneOf('sale', 'auth', 'credit'),
  paymentMethod: oneOf('card', 'ach', 'token'),
  refundStatus: oneOf('none', 'partial', 'full'),
  last4: Type.Optional(Type.String({ pattern: '^\\d{4}$', description: 'four digits' })),
  brand: Type.Optional(Text(40, 'a card’s brand in lower case; ach for bank accounts')),
  declineCode: Type.Optional(Text(40)),
  capturedFrom: Type.Optional(DateIn('a day, YYYY-MM-DD: payments captured from then on')),
  capturedTo: Type.Optional(DateIn('the last such day')),
  refundedFrom: Type.Optional(DateIn('a day, YYYY-MM-DD: payments refunded from then on')),
  refundedTo: Type.Optional(DateIn('the last such day')),
  minAmount: digits('a decimal amount'),
  maxAmount: digits('a decimal amount'),
  q: Type.Optional(Text(200, 'an id, last four digits, exact amount, e-mail address or order')),
  merchantId: Type.Optional(Text(60)),
  customerId: Type.Optional(Text(60)),
});

/** The filter of a query that has passed its schema. */
export function filterFrom(query: Type.Static<typeof ListQuery>): TransactionFilter {
  const { page: _page, limit: _limit, cursor: _cursor, minAmount, maxAmount, ...rest } = query;
  const filter = rest as TransactionFilter;
  return { ...filter, ...(minAmount ? { minAmount } : {}), ...(maxAmount ? { maxAmount } : {}) };
}
