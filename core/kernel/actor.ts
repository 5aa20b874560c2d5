import type { AreaPermission } from '#shared/permission-areas';
import type { GivenApproval } from './approvals.ts';
import type { IdempotencyKey } from './idempotency-key.ts';
import { newId } from './ids.ts';

/**
 * Permissions of owners only. The built-in role `owner` has all of them; no other role, user or API key can have one.
 * - `owner:users`: grant and revoke the owner role; invite, change and remove owners.
 * - `owner:keys`: create the recovery file, replace the master key and rotate the data key.
 * - `owner:backup`: change, start and check backups.
 * - `owner:export`: download the full export of the account.
 * - `owner:channels`: change the message channels.
 * - `owner:gateways`: change the gateways of a live account.
 * - `owner:activity`: read the security activity.
 * - `owner:failover`: rehearse a failover of the database.
 * - `owner:periods`: reopen closed periods.
 * - `owner:transfers`: import customers with card numbers, and export them for another provider.
 */
export const OWNER_PERMISSIONS = [
  'owner:users',
  'owner:keys',
  'owner:backup',
  'owner:export',
  'owner:channels',
  'owner:gateways',
  'owner:addresses',
  'owner:activity',
  'owner:failover',
  'owner:periods',
  'owner:transfers',
] as const;
export type OwnerPermission = (typeof OWNER_PERMISSIONS)[number];

/** A permission that a role, a user or an API key may be granted. */
export type GrantablePermission = AreaPermission;
export type Permission = GrantablePermission | OwnerPermission;

/** Caller of an operation: identity, permissions and origin. The first argument of every operation of the core. */
export interface Actor {
  readonly tenantId: string;
  /** ID of the API key or session of the call, or `service` for Paydesk's own jobs. */
  readonly credentialId: string;
  /** Name shown in histories: an email address, the name of an API key, or `service`. */
  readonly name: string;
  /** Merchant of a credential that is limited to one merchant; null for the whole tenant. */
  readonly merchantId: string | null;
  readonly permissions: ReadonlySet<Permission>;
  /** True if the credential is an API key with spending limits, against which operations that move money are counted. */
  readonly hasSpendingLimits?: boolean;
  /** True in the first minutes of a session that was signed in with its password, which confirm operations. */
  readonly isSignInRecent?: boolean;
  /** The approval of a second person under which the operation runs. */
  readonly approval?: GivenApproval;
  readonly requestId: string;
  readonly ip: string | null;
  /** User-Agent header of the client. */
  readonly userAgent?: string | null;
  /** Cash drawer of the workstation that sent the request, by name. */
  readonly drawer?: string | null;
  /** Idempotency-Key of the request; null if it has none. */
  readonly idempotencyKey: IdempotencyKey | null;
}

/** The part of an actor that decides which records a caller reads: those of the merchant, or of all merchants of the tenant if it is null. */
export type Caller = Pick<Actor, 'tenantId' | 'merchantId'>;

/** Returns the actor of Paydesk's own jobs. */
export function serviceActor(tenantId: string): Actor {
  return {
    tenantId,
    credentialId: 'service',
    name: 'service',
    merchantId: null,
    permissions: new Set(),
    requestId: newId('req', Date.now()),
    ip: null,
    idempotencyKey: null,
  };
}
