import type { Area } from '#shared/permission-areas';
import type { IdempotencyKey } from './idempotency-key.ts';
import { newId } from './ids.ts';

/**
 * Rights of an owner alone (decisions 12). The built-in role `owner` holds them all; no other role, user or API key can hold one.
 * - `owner:users`: grants and revokes the owner role; invites, changes and removes owners.
 * - `owner:keys`: makes the recovery file, exchanges the master key and renews the data key.
 * - `owner:backup`: changes, starts and checks backups.
 * - `owner:export`: downloads the full export of the account.
 * - `owner:channels`: changes the message channels.
 * - `owner:gateways`: changes the gateways of a live account.
 * - `owner:activity`: reads the security activity.
 */
export const OWNER_PERMISSIONS = [
  'owner:users',
  'owner:keys',
  'owner:backup',
  'owner:export',
  'owner:channels',
  'owner:gateways',
  'owner:activity',
] as const;
export type OwnerPermission = (typeof OWNER_PERMISSIONS)[number];

/** A permission that a role, a user or an API key may be granted. */
export type GrantablePermission = `${Area}:${'read' | 'write'}`;
export type Permission = GrantablePermission | OwnerPermission;

/** Caller of an operation: identity, permissions and origin. The first argument of every operation of the core. */
export interface Actor {
  readonly tenantId: string;
  /** The credential that answers for the call: an API key's or a session's id, or `service` for the product's own jobs. */
  readonly credentialId: string;
  /** Shown in histories: an e-mail address, an API key's name or `service`. */
  readonly name: string;
  /** The merchant of a merchant-level credential; null acts for the whole tenant. */
  readonly merchantId: string | null;
  readonly permissions: ReadonlySet<Permission>;
  readonly requestId: string;
  readonly ip: string | null;
  /** The client program, as it named itself. */
  readonly userAgent?: string | null;
  /** The Idempotency-Key of the request, where it carries one. */
  readonly idempotencyKey: IdempotencyKey | null;
}

/** Returns the actor of Paydesk's own jobs, which nobody else can use. */
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
