import type { Actor } from '#core/kernel';
import { ServiceError } from '#core/kernel';
import type { Tenants } from './tenants.ts';
import type { Users } from './users.ts';

/**
 * Who answers for the whole installation, and not only for a tenant of it: the owners of its first tenant, which the first run made. They keep its
 * keys; whoever holds those can read every tenant's cards.
 */
export function createOperators(tenants: Tenants, users: Users) {
  async function is(by: Pick<Actor, 'tenantId' | 'merchantId'>, userId: string | null): Promise<boolean> {
    if (userId === null || by.merchantId !== null || (await tenants.first())?.tenantId !== by.tenantId) return false;
    return (await users.self(by.tenantId, userId)).role === 'owner';
  }
  return {
    is,
    /** PERMISSION_DENIED for anybody else. */
    async require(by: Pick<Actor, 'tenantId' | 'merchantId'>, userId: string | null): Promise<void> {
      if (!(await is(by, userId)))
        throw new ServiceError('PERMISSION_DENIED', 'Only an owner of the first account of this installation may do this.');
    },
    /** The same for what is of the caller's own tenant alone. */
    async requireOwner(by: Pick<Actor, 'tenantId' | 'merchantId'>, userId: string | null): Promise<void> {
      const isOwner = userId !== null && by.merchantId === null && (await users.self(by.tenantId, userId)).role === 'owner';
      if (!isOwner) throw new ServiceError('PERMISSION_DENIED', 'Only an owner of the account may do this.');
    },
  };
}
