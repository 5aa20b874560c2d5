import { isoTime, newId } from '#core/kernel';
import type { Dependencies } from './dependencies.ts';
import { nameOf, newUserEmail } from './email-addresses.ts';
import { hashPassword } from './passwords.ts';
import { type Environment, TENANTS, type TenantRow, type Tier, USERS } from './schema.ts';
import { newUserRow } from './user-row.ts';

export interface NewTenant {
  readonly name: string;
  readonly environment: Environment;
  readonly tier: Tier;
  readonly owner: { readonly email: string; readonly password: string; readonly name?: string };
}

/** Creates a tenant with its owner in one unit of work; `alsoWrite` writes the other records of the tenant. */
export async function createTenant(
  deps: Dependencies,
  input: NewTenant,
  alsoWrite: (work: Parameters<Dependencies['withTenant']>[0], tenantId: string, nowMs: number) => Promise<void>,
): Promise<string> {
  const password_hash = await hashPassword(input.owner.password);
  const now = deps.clock.now();
  const created_at = isoTime(now);
  const { name, environment, tier } = input;
  const tenant: TenantRow = { id: newId('ten', now), name, environment, tier, clock_offset_ms: 0, created_at };
  const email = newUserEmail(input.owner.email);
  const owner = newUserRow(tenant.id, { email, name: nameOf(input.owner.name), role: 'owner' }, password_hash, now);
  await deps.database.unitOfWork.transaction(null, async (work) => {
    work.insert(TENANTS, tenant);
    await deps.withTenant(work, tenant.id);
    work.insert(USERS, owner);
    await alsoWrite(work, tenant.id, now);
    deps.audit(work, {
      actor: { tenantId: tenant.id, credentialId: owner.id, name: email, ip: null, requestId: newId('req', now) },
      action: 'tenant.created',
      resource: 'tenant',
      after: { name, environment, tier, owner: email },
    });
  });
  deps.tenants.remember(tenant);
  return tenant.id;
}
