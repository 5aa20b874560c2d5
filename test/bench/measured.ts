/** What a bench found of one mode under one load; latencies in milliseconds, where single answers are timed. */
export interface Rate {
  readonly perSecond: number;
  readonly latency?: { readonly p50: number; readonly p99: number };
}

/** A ratio with what it must reach and what it should. */
export interface Ratio {
  readonly name: string;
  readonly value: number;
  readonly must?: number;
  readonly goal?: number;
}

/** The outcome of a bench: rates by mode and by load, such as "128 connections", and the ratios that count. */
export interface Measured {
  readonly figures: Readonly<Record<string, Readonly<Record<string, Rate>>>>;
  readonly ratios: readonly Ratio[];
}
