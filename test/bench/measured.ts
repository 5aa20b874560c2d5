/** What a bench found of one mode under one load; latencies in milliseconds, where single answers are timed. */
export interface Rate {
  readonly perSecond?: number;
  /** How long one took. */
  readonly ms?: number;
  /** Memory, or a file, in MiB. */
  readonly mib?: number;
  readonly count?: number;
  readonly latency?: { readonly p50: number; readonly p99: number };
}

/** A ratio with what it must reach and what it should; where less is better, with what it must not exceed. */
export interface Ratio {
  readonly name: string;
  readonly value: number;
  readonly must?: number;
  readonly goal?: number;
  readonly isBelow?: boolean;
}

/** The outcome of a bench: rates by mode and by load, such as "128 connections", and the ratios that count. */
export interface Measured {
  readonly figures: Readonly<Record<string, Readonly<Record<string, Rate>>>>;
  readonly ratios: readonly Ratio[];
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right);
  const middle = sorted.length / 2;
  return sorted.length % 2 === 1 ? (sorted[Math.floor(middle)] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}

/** The value below which a part of all lie. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
}
