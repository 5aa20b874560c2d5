import type { createTenants, Identity } from '#core/access/identity';
import type { Merchants } from '#core/processing/merchants';
import type { NewTenant } from './options.ts';

interface Dependencies {
  readonly identity: Pick<Identity, 'createTenant'>;
  readonly tenants: Pick<ReturnType<typeof createTenants>, 'checkFirst'>;
  readonly merchants: Pick<Merchants, 'begin'>;
}

/**
 * Returns the function that creates a tenant with its first merchant and its owner in one unit of work. It throws RESOURCE_CONFLICT if the tenant is created
 * as the first one and another one exists already.
 */
export function tenantCreation({ identity, tenants, merchants }: Dependencies) {
  return async (tenant: NewTenant, { asFirst = false } = {}): Promise<{ tenantId: string; merchantId: string }> => {
    let merchantId = '';
    const tenantId = await identity.createTenant(tenant, async (work, id, nowMs) => {
      if (asFirst) await tenants.checkFirst(work, id);
      merchantId = await merchants.begin(work, id, tenant.merchant, tenant.environment, nowMs);
    });
    return { tenantId, merchantId };
  };
}
