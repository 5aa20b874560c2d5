export { amountProblem, readAmount, writeAmount, writeMoney } from './amount.ts';
export { decimalText, exponentOf, fromMinor, toMinor } from './minor.ts';
