const RATE_DECIMALS = 10_000n;

/** Returns a share with four decimals, rounded half up. */
export function rateOf(part: number, whole: number): number {
  if (whole <= 0 || part <= 0) return 0;
  return Number((BigInt(part) * RATE_DECIMALS * 2n + BigInt(whole)) / (BigInt(whole) * 2n)) / Number(RATE_DECIMALS);
}
