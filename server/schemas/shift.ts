import { Type } from 'typebox';
import { AMOUNT_RANGE, AmountIn, Lines, MerchantIn, Text } from './fields.ts';

const DENOMINATIONS_MAX = 40;
const CountIn = Type.Array(
  Type.Object({
    denomination: { ...AmountIn, description: `${AMOUNT_RANGE}; the value of one note or coin, in major units`, examples: [20] },
    quantity: Type.Integer({ minimum: 0, maximum: 1_000_000, description: 'number of notes or coins', examples: [5] }),
  }),
  { maxItems: DENOMINATIONS_MAX, description: 'counted notes and coins, each denomination once' },
);
const SumIn = Type.Union([Type.Number(), Type.String({ maxLength: 20 })], {
  description: 'counted cash in major units, 0 or more; optional with `count`, and then its sum',
  examples: [200],
});

export const NewShiftBody = Type.Object({
  drawer: Type.Optional(Text(40, 'cash drawer, by name; by default `Drawer 1`')),
  amount: Type.Optional(SumIn),
  count: Type.Optional(CountIn),
  merchantId: MerchantIn,
});
export const CashMovementBody = Type.Object({
  amount: AmountIn,
  reason: Text(200, 'reason, which the report and the ledger keep'),
});
export const CloseShiftBody = Type.Object({
  amount: Type.Optional(SumIn),
  count: Type.Optional(CountIn),
  note: Type.Optional(Lines(500, 'explanation of a variance')),
});
export const ShiftNoteBody = Type.Object({ note: Lines(500, 'explanation of the variance', 'One note of 20 was given twice.') });
