/** Hundredths of a percent in 100 %. */
const BASIS_POINTS = 10_000;

/**
 * Returns the surcharge on an amount, in minor units. It is rounded down, so that it never exceeds the percentage. The amount contains tax, but
 * neither tip nor surcharge (decision record 86). Fractions of a hundredth of a percent do not count.
 */
export function surchargeOn(amountMinor: number, percent: number): number {
  return Math.floor((amountMinor * basisPoints(percent)) / BASIS_POINTS);
}

/** Returns a percentage in hundredths of a percent, rounded down; 2.9 has no exact binary form, hence the tolerance. */
function basisPoints(percent: number): number {
  return Math.floor(percent * 100 + 1e-6);
}
