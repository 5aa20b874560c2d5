/** The words that the whole core speaks: money, identifiers, time, errors, state tables, actors. Imports nothing of ours. */
export * from './actor.ts';
export * from './assert.ts';
export * from './clock.ts';
export * from './dates.ts';
export * from './errors.ts';
export * from './ids.ts';
export * from './money.ts';
export * from './once.ts';
export * from './steps.ts';
export * from './text.ts';
