import { Type } from 'typebox';
import { ReconciliationItem } from '#core/books/reconciliation';
import { literals, record } from '#core/platform/fields';
import { ColumnName as column } from '#core/platform/imports';
import { DATE_FORMATS } from '#shared/file-cells';
import { DateIn, Lines, MerchantIn, Text } from './fields.ts';
import { PaymentFactsOut } from './payment-facts.ts';

/** A line of a run with the facts of its payment. */
export const ReconciliationItemOut = record('ReconciliationItem', { ...ReconciliationItem.properties, payment: PaymentFactsOut });

export const ReconciliationBody = Type.Object({
  date: DateIn('a settlement date, YYYY-MM-DD'),
  importId: Type.Optional(Text(60, 'an import to compare with, instead of the report of the gateway')),
  merchantId: MerchantIn,
});
export const ResolveBody = Type.Object({ note: Lines(1_000, 'Note', 'Agreed with the customer.') });
export const ReopenBody = Type.Object({
  resolvedAt: Type.Optional(Text(40, 'time of the explanation that is removed; another one is refused')),
});

/** Fields of the form of an import; `mapping` is JSON. */
export const ImportFields = Type.Object({
  mapping: Type.Object(
    {
      transactionId: column,
      amount: Type.Optional(column),
      credit: Type.Optional(column),
      debit: Type.Optional(column),
      direction: Type.Optional(
        Type.String({ minLength: 1, maxLength: 200, description: 'column that says whether an amount is a refund' }),
      ),
      debitValues: Type.Optional(
        Type.Array(Type.String({ minLength: 1, maxLength: 60 }), {
          maxItems: 20,
          description: 'values of `direction` for refunds; without them, the usual words are known',
        }),
      ),
      date: column,
      currency: Type.Optional(column),
      dateFormat: Type.Optional(literals(DATE_FORMATS, 'Format of the dates in the file')),
      sign: Type.Optional(literals(['positive', 'negative'], 'Sign of refunds in the file')),
      unit: Type.Optional(literals(['major', 'minor'], 'Unit of the amounts in the file')),
    },
    { additionalProperties: false, description: 'Columns of the file by field' },
  ),
  merchantId: MerchantIn,
});
