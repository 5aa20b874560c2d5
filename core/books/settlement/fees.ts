import { exponentOf, type Money, money } from '#core/kernel';
import type { FeeRate } from '#core/processing/merchants';

/** Decimals that a rate is read to. */
const DECIMALS = 6;
const SCALE = 10n ** BigInt(DECIMALS);

/** Returns a rate as a whole number of millionths. */
function millionths(value: number): bigint {
  return BigInt(value.toFixed(DECIMALS).replace('.', ''));
}

/** Returns the fee of a captured amount: a percentage and a fixed part, at most the cap, rounded half up once. */
export function feeOf(captured: Money, { percent, fixed, cap }: FeeRate): Money {
  const unit = 10n ** BigInt(exponentOf(captured.currency));
  const denominator = SCALE * 100n;
  const numerator = BigInt(captured.minor) * millionths(percent) + millionths(fixed) * unit * 100n;
  const limit = cap === null ? null : millionths(cap) * unit * 100n;
  const fee = limit !== null && numerator > limit ? limit : numerator;
  return money(Number((fee * 2n + denominator) / (denominator * 2n)), captured.currency);
}
