/** Description and example of a field. The example is left out if the schema determines it, as for a list of fixed values. */
export type Entry = readonly [description: string, example?: unknown];

/** A time of the examples. */
export const EXAMPLE_TIME = '2026-11-21T04:01:55.602Z';
/** Second part of the IDs of the examples. */
export const ID = '01m7y495cj0020acfq3xv5ygj8';
/** Returns the entry of an ID. */
export const id = (prefix: string, what: string): Entry => [`ID of the ${what}`, `${prefix}_${ID}`];
/** Returns the entry of a time. */
export const time = (description: string): Entry => [description, EXAMPLE_TIME];
/** Returns the entry of a day. */
export const day = (description: string): Entry => [description, '2026-11-21'];

/** Entries by the name of their field. */
export type Glossary = Readonly<Record<string, Entry>>;
