import type { ApiFailure } from '#renderer/client';

/** The businesses to choose from, when the service asks which one is meant. */
export function tenantsToChooseFrom(failure: ApiFailure): readonly string[] {
  const { tenants } = failure.details;
  if (failure.code !== 'TENANT_REQUIRED' || !Array.isArray(tenants)) return [];
  return tenants.filter((tenant): tenant is string => typeof tenant === 'string');
}
