/** The checks of a request, one file each; app.ts runs them in their order. */
export { addressOf, parseTrustedProxies } from './address.ts';
export { fromOf, namedTenant, principalOf } from './credential.ts';
export { checkHost, type OwnNames, ownNames } from './host.ts';
export { onceOf } from './idempotency.ts';
export { countAddress, countCaller, countPayer, countWrongCredentials, rateStatus, tellUnlimited } from './rate.ts';
