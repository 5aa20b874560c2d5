import { type Actor, type OwnerPermission, ServiceError } from '#core/kernel';
import type { Tenants } from './tenants.ts';

type Caller = Pick<Actor, 'tenantId' | 'merchantId' | 'permissions'>;

/**
 * Administrators of the whole installation: callers of its first tenant, which the first run created, who hold the owner permission of the
 * operation. The keys of the installation open every tenant's cards, so an owner of another tenant is not an administrator.
 */
export function createInstallationAdmins(tenants: Tenants) {
  async function belongsToFirstTenant(actor: Pick<Caller, 'tenantId' | 'merchantId'>): Promise<boolean> {
    return actor.merchantId === null && (await tenants.first())?.tenantId === actor.tenantId;
  }
  return {
    /** Returns true if the caller may perform operations of the installation that need the permission. */
    is: async (actor: Caller, permission: OwnerPermission): Promise<boolean> =>
      actor.permissions.has(permission) && (await belongsToFirstTenant(actor)),
    /** Checks that the caller acts for the whole first tenant. @throws ServiceError PERMISSION_DENIED. */
    async requireFirstTenant(actor: Pick<Caller, 'tenantId' | 'merchantId'>): Promise<void> {
      if (await belongsToFirstTenant(actor)) return;
      throw new ServiceError(
        'PERMISSION_DENIED',
        'This operation concerns the whole installation. Only an owner of its first account can do it.',
      );
    },
  };
}
