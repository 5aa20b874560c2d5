import { type Actor, type OwnerPermission, ServiceError } from '#core/kernel';
import type { Tenants } from './tenants.ts';

type Caller = Pick<Actor, 'tenantId' | 'merchantId' | 'permissions'>;

/**
 * The operators of the whole installation: callers of its first tenant, which the first run created, who hold the owner permission of the operation.
 * The installation's keys open every tenant's cards, so an owner of another tenant is not an operator.
 */
export function createOperators(tenants: Tenants) {
  async function isOfFirst(by: Pick<Caller, 'tenantId' | 'merchantId'>): Promise<boolean> {
    return by.merchantId === null && (await tenants.first())?.tenantId === by.tenantId;
  }
  return {
    /** Returns true if the caller may carry out operations of the installation that need the permission. */
    is: async (by: Caller, permission: OwnerPermission): Promise<boolean> => by.permissions.has(permission) && (await isOfFirst(by)),
    /** Refuses a caller of another tenant than the first: PERMISSION_DENIED. */
    async requireFirstTenant(by: Pick<Caller, 'tenantId' | 'merchantId'>): Promise<void> {
      if (await isOfFirst(by)) return;
      throw new ServiceError(
        'PERMISSION_DENIED',
        'This operation is for the whole installation. Only an owner of its first account can carry it out.',
      );
    },
  };
}
