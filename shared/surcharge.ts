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

/** Amount that the payer agreed to, with its tip and surcharge, in minor units. */
interface AgreedAmount {
  readonly amountMinor: number;
  readonly tipMinor: number;
  readonly surchargeMinor: number;
}

/** Returns the surcharge of a changed amount: the share that the payer agreed to, computed without the tip and rounded down. */
export function scaledSurchargeOn(amountMinor: number, tipMinor: number, agreed: AgreedAmount): number {
  if (agreed.surchargeMinor === 0) return 0;
  const base = BigInt(Math.max(0, amountMinor - tipMinor));
  return Number((base * BigInt(agreed.surchargeMinor)) / BigInt(agreed.amountMinor - agreed.tipMinor));
}
