export { type AmountReading, amountProblem, readAmount, writeAmount, writeMoney } from './amount.ts';
export { exponentOf } from './exponents.ts';
export { currencyCodes, decimalText, fromMinor, toMinor } from './minor.ts';
