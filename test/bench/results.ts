/** The result of a benchmark for one mode under one load; latencies in milliseconds where single responses are timed. */
export interface Rate {
  readonly perSecond?: number;
  /** Duration of one operation in milliseconds. */
  readonly ms?: number;
  /** Memory or file size in MiB. */
  readonly mib?: number;
  readonly count?: number;
  readonly latency?: { readonly p50: number; readonly p99: number };
  /** Processor time of the server for one operation, in milliseconds. */
  readonly processorMs?: number;
  /** Delay of the server's event loop that one of a hundred timers exceeds, in milliseconds. */
  readonly eventLoopDelayP99?: number;
}

/** A ratio with its required value and its goal; for ratios where less is better, the values are maximums. */
export interface Ratio {
  readonly name: string;
  readonly value: number;
  readonly must?: number;
  readonly goal?: number;
  readonly isBelow?: boolean;
}

/** The result of a benchmark: rates by mode and by load, such as "128 connections", and the resulting ratios. */
export interface BenchResult {
  readonly figures: Readonly<Record<string, Readonly<Record<string, Rate>>>>;
  readonly ratios: readonly Ratio[];
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right);
  const middle = sorted.length / 2;
  return sorted.length % 2 === 1 ? (sorted[Math.floor(middle)] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}

/** Returns the value below which the given part of all values lies. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
}
