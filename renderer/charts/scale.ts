const STEPS = [1, 2, 5, 10] as const;
const LINES = 4;

interface Scale {
  readonly min: number;
  readonly max: number;
  /** Round values at which lines are drawn, zero among them. */
  readonly ticks: readonly number[];
}

/** A scale of round steps that holds all values and zero. The smallest step is one, of a unit or of a count. */
export function scaleFor(values: readonly number[]): Scale {
  const high = Math.max(0, ...values);
  const low = Math.min(0, ...values);
  const rough = Math.max((high - low) / LINES, 1);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * (STEPS.find((each) => each * power >= rough) ?? 1);
  const from = Math.floor(low / step);
  const to = Math.max(Math.ceil(high / step), from + 1);
  const ticks = Array.from({ length: to - from + 1 }, (_, at) => (from + at) * step);
  return { min: from * step, max: to * step, ticks };
}
