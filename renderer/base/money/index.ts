export { amountProblem, readAmount, writeAmount, writeMoney } from './amount.ts';
export { cashFor } from './cash.ts';
export { amountsGiven, denominationsOf } from './denominations.ts';
export { decimalText, exponentOf, fromMinor, toMinor } from './minor.ts';
export { sumsText } from './sums.ts';
export { type TaxRule, taxedTotal, taxOn, taxRuleOf } from './tax.ts';
