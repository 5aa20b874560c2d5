export { type CheckedFetch, createCheckedFetch } from './checked-fetch.ts';
export { checkedConnector } from './connector.ts';
export { type AllowsPrivateHost, parsePrivateHosts } from './private-hosts.ts';
export { BlockedTarget, checkForbidden, type ForbiddenTarget, type Lookup, lookupAll, type Reach, rangeOf, reachable } from './target.ts';
export { lookupForTenant } from './tenant-lookup.ts';
export { createTrust, type Trust } from './trust.ts';
