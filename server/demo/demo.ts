import type { Core, NewTenant } from '#core';
import { type Composition, derivedSecret, type ServerOptions, serviceKeyOf } from '#server/operation';
import { seedBusiness, seedSales } from './sample-sales.ts';
import { checkFinished, markedAsUnfinished } from './unfinished.ts';

/** Credentials that `--demo` prints for programs. */
export interface DemoCredentials {
  readonly tenantId: string;
  readonly merchantId: string;
  readonly apiKey: string;
  readonly tenantApiKey: string;
  readonly standardTenantId: string;
  readonly standardApiKey: string;
  readonly adminEmail: string;
  readonly adminPassword: string;
  readonly standardAdminEmail: string;
  readonly standardAdminPassword: string;
  readonly internalServiceKey: string;
}

/** Fills a new tenant with sample data. `passwordOf` returns the passwords of sample users. */
type FillTenant = (
  composition: Composition,
  tenant: { readonly tenantId: string; readonly merchantId: string },
  passwordOf: (email: string) => string,
) => Promise<void>;

/** Sample data by the name of its extent: three months of sales, or everything else that a running business has as well. */
const SAMPLE_DATA = {
  sales: (composition, { tenantId }) => seedSales(composition, tenantId),
  business: seedBusiness,
} as const satisfies Record<NonNullable<ServerOptions['sampleData']>, FillTenant>;

const ADMIN = 'admin@demo.example';
const STANDARD_ADMIN = 'admin@standard.example';
const MERCHANT = {
  name: 'Harbor Street Coffee',
  currency: 'USD',
  timezone: 'America/New_York',
  country: 'US',
  city: 'Portland',
  state: 'ME',
  vtSettings: { receiptFooter: 'Refunds within 14 days with this receipt.' },
};

/** Returns the credentials of `--demo`; fills an empty database. @throws Error if a live tenant exists or the sample data are incomplete. */
export async function openDemo(composition: Composition, options: ServerOptions): Promise<DemoCredentials> {
  const open = () => seedDemo(composition, serviceKeyOf(composition.keyRing, options), SAMPLE_DATA[options.sampleData ?? 'sales']);
  if ((await composition.core.identity.tenants.first()) === null) return markedAsUnfinished(options.dataDir, open);
  checkFinished(options.dataDir);
  return open();
}

/**
 * Creates the demo's two sandbox tenants, once, fills the first with sample data, and returns their credentials. Passwords and keys derive
 * from the installation key, so a restart on the same data prints the same ones. Refused if a live tenant exists.
 */
export async function seedDemo(composition: Composition, internalServiceKey: string, fill: FillTenant): Promise<DemoCredentials> {
  const { core } = composition;
  const { apiKeys } = core.identity;
  if (await core.identity.tenants.hasLive()) throw new Error('--demo is not possible: this database contains a live tenant.');
  const secret = (prefix: string, purpose: string) => derivedSecret(composition.keyRing, prefix, purpose);
  const adminPassword = secret('', 'demo/admin-password').slice(0, 20);
  const standardAdminPassword = secret('', 'demo/standard-admin-password').slice(0, 20);
  const apiKey = secret('pk_sandbox_', 'demo/merchant-key');
  const tenantApiKey = secret('pk_sandbox_', 'demo/tenant-key');
  const standardApiKey = secret('pk_sandbox_', 'demo/standard-key');

  const demo = await findOrCreateTenant(
    core,
    {
      name: 'Harbor Street',
      environment: 'sandbox',
      tier: 'sandbox',
      merchant: MERCHANT,
      owner: { email: ADMIN, name: 'Olivia Hart', password: adminPassword },
    },
    async (made) => {
      await apiKeys.ensure(made.tenantId, {
        name: 'Demo merchant key',
        scope: 'merchant',
        merchantId: made.merchantId,
        key: apiKey,
      });
      await apiKeys.ensure(made.tenantId, { name: 'Demo tenant key', scope: 'tenant', key: tenantApiKey });
      await fill(composition, made, (email) => secret('', `demo/password/${email}`).slice(0, 20));
    },
  );
  const standard = await findOrCreateTenant(
    core,
    {
      name: 'Standard tier demo',
      environment: 'sandbox',
      tier: 'standard',
      merchant: { ...MERCHANT, name: 'Standard Street Books' },
      owner: { email: STANDARD_ADMIN, password: standardAdminPassword },
    },
    async (made) => {
      await apiKeys.ensure(made.tenantId, {
        name: 'Standard merchant key',
        scope: 'merchant',
        merchantId: made.merchantId,
        key: standardApiKey,
      });
    },
  );
  return {
    ...demo,
    apiKey,
    tenantApiKey,
    standardTenantId: standard.tenantId,
    standardApiKey,
    adminEmail: ADMIN,
    adminPassword,
    standardAdminEmail: STANDARD_ADMIN,
    standardAdminPassword,
    internalServiceKey,
  };
}

type CreatedTenant = { tenantId: string; merchantId: string };

/** Returns the tenant of the owner's email address; creates and fills it if there is none. */
async function findOrCreateTenant(core: Core, tenant: NewTenant, fill: (made: CreatedTenant) => Promise<void>): Promise<CreatedTenant> {
  const [tenantId] = await core.identity.tenants.ofEmail(tenant.owner.email);
  if (tenantId !== undefined) {
    const { merchantId } = await core.merchants.merchantFor({ tenantId, merchantId: null });
    return { tenantId, merchantId };
  }
  const made = await core.createTenant(tenant);
  await fill(made);
  return made;
}
