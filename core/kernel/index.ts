/** Basic types of the core: money, identifiers, time, errors, state tables and actors. Imports only shared value code. */
export * from './actions.ts';
export * from './actor.ts';
export * from './approvals.ts';
export * from './assert.ts';
export * from './bind.ts';
export * from './clock.ts';
export * from './dates.ts';
export * from './errors.ts';
export * from './idempotency-key.ts';
export * from './ids.ts';
export * from './money.ts';
export * from './processes.ts';
export * from './secrets.ts';
export * from './steps.ts';
export * from './text.ts';
