import { Type } from 'typebox';
import { CsvMapping, PART_KINDS, RULE_KINDS } from '#core/books/bank';
import { literals } from '#core/platform/fields';
import { AmountIn, CurrencyIn, IdIn, NoteIn, ProtectedText, Text } from './fields.ts';

const merchantId = Type.Optional(Text(60, "one merchant; by default the caller's"));

export const MerchantBankAccountIn = Type.Object({
  merchantId,
  name: Type.String({ maxLength: 80, description: 'name on screen', examples: ['Business checking'] }),
  currency: Type.Optional(CurrencyIn),
  accountNumber: Type.Optional(
    ProtectedText(60, 'account number or IBAN; stored encrypted, and only its last four characters are returned'),
  ),
});
export const BankAccountChangeIn = Type.Object({
  name: Type.String({ maxLength: 80, description: 'new name on screen', examples: ['Savings'] }),
  previousName: Type.Optional(Type.String({ maxLength: 80, description: 'name that was read before', examples: ['Business checking'] })),
});
/** Fields of the form of an import; `mapping` is JSON. */
export const StatementFields = Type.Object({
  bankAccountId: IdIn('bac', 'bank account'),
  mapping: Type.Optional(CsvMapping),
  mappingName: Type.Optional(Text(60, 'a saved mapping; with `mapping`, the name under which it is saved')),
  doubtfulLines: Type.Optional(literals(['add', 'skip'], 'what to do with lines that may be stored already')),
});
const MatchIn = {
  parts: Type.Array(
    Type.Object(
      {
        kind: literals(PART_KINDS, '`own`: a transfer of the merchant; `ignore`: unrelated to payments'),
        payoutId: Type.Optional(Text(60, 'required for `payout`')),
        invoiceId: Type.Optional(Text(60, 'required for `invoice`, which also requires invoices:read')),
        shiftId: Type.Optional(Text(60, 'closed shift whose cash was deposited; `cash` requires it or `tenderId`')),
        tenderId: Type.Optional(Text(60, 'deposited check; required for `check`. For `cash`: a payment in cash without a shift')),
        refundId: Type.Optional(Text(60, 'refund of a bank transfer that the debit pays; required for `refund`')),
        amount: Type.Optional(AmountIn),
        fee: Type.Optional(AmountIn),
      },
      { additionalProperties: false },
    ),
    { minItems: 1, maxItems: 50, description: 'parts of the line; `amount` may be absent if there is one part' },
  ),
  note: Type.Optional(NoteIn),
};
export const BankMatchBody = Type.Object(MatchIn);
export const BankMatchesBody = Type.Object({
  matches: Type.Array(Type.Object({ lineId: IdIn('bln', 'bank line'), ...MatchIn }, { additionalProperties: false }), {
    minItems: 1,
    maxItems: 100,
    description: 'Accepted explanations of lines',
  }),
});
export const BankRuleIn = {
  contains: Type.String({
    maxLength: 60,
    description: 'text of the lines; case and spaces do not matter',
    examples: ['ACME PROCESSING FEE'],
  }),
  kind: literals(RULE_KINDS, 'Explanation that the rule suggests'),
  customerId: Type.Optional(Text(60, 'customer whose invoices the lines pay; required for `invoice`')),
};
