import type { ApiFailure } from '#renderer/base/client';

/** Returns the accounts to choose from if the service requires a choice. */
export function tenantsToChooseFrom(failure: ApiFailure): readonly string[] {
  const { tenants } = failure.details;
  if (failure.code !== 'TENANT_REQUIRED' || !Array.isArray(tenants)) return [];
  return tenants.filter((tenant): tenant is string => typeof tenant === 'string');
}
