import type { Money } from '#core/kernel';

const RATE_DECIMALS = 10_000n;

/** Returns a share with four decimals, rounded half up. */
export function rateOf(part: number, whole: number): number {
  if (whole <= 0 || part <= 0) return 0;
  return Number((BigInt(part) * RATE_DECIMALS * 2n + BigInt(whole)) / (BigInt(whole) * 2n)) / Number(RATE_DECIMALS);
}

/** Returns an average amount, rounded half up to the minor unit; 0 without anything to divide among. */
export function average({ minor, currency }: Money, count: number): Money {
  const share = count <= 0 ? 0 : Number((BigInt(minor) * 2n + BigInt(count)) / (BigInt(count) * 2n));
  return { minor: share, currency };
}
