/** Checks of a request, one file each; app.ts runs them in order. */
export { checkAccess, confirmCaller, isSignInRecent, type RouteAccess } from './access.ts';
export { addressOf, parseTrustedProxies } from './address.ts';
export { checkApiVersion, deprecationHeaders } from './api-version.ts';
export { bearer, loginContextOf, namedTenant, principalOf } from './credential.ts';
export { type AllowedHosts, allowedHosts, checkHost } from './host.ts';
export { isReplayable, readIdempotencyKey } from './idempotency.ts';
export { answerPreflight, checkOrigin } from './origin.ts';
export { countAddress, countCaller, countPayer, countWrongCredentials, countWrongPins, rateStatus, setUnlimitedHeaders } from './rate.ts';
export { beginRecording, isRecorded, recordResponse, runReplayed } from './replay.ts';
export { readApprovalReason, readDrawer } from './text-headers.ts';
