import { type Page, type PageRequest, pageOf, queriesOn, TENANT, type Work } from '#core/database';
import type { RoutingAttributes } from '#core/gateways';
import { type Actor, isoTime, newId, ServiceError } from '#core/kernel';
import type { Dependencies, MerchantDependencies } from './dependencies.ts';
import { gatewaysIn, gatewaysOf, sandboxGatewayRow } from './gateway.ts';
import { createGatewaySettings } from './gateways.ts';
import { columnsOf, type Merchant, type MerchantProfile, type NewMerchant, toMerchant } from './merchant.ts';
import { isLoopback, parsePublicUrl } from './public-url.ts';
import { checkRules, follow, type Route } from './routing.ts';
import { GATEWAYS, type GatewayRow, MERCHANTS, type MerchantRow } from './schema.ts';
import { COLUMNS, type RoutingRule, type SectionName, type Sections, sectionOf } from './settings.ts';

export { createMerchantDirectory } from './directory.ts';
export type { Gateway } from './gateway.ts';

export { type Merchant, type NewMerchant, openFor } from './merchant.ts';
export { hostOf, parsePublicUrl } from './public-url.ts';
export { READABLE_GATEWAYS, READABLE_MERCHANTS } from './read-model.ts';
export { type PassedOver, type Route, type RuleTrace, refusalOf } from './routing.ts';
export type { DunningSettings, FeeRate, FraudSettings, MerchantSettings, RoutingRule, SectionName } from './settings.ts';

export const TABLES = [MERCHANTS, GATEWAYS];

type By = Pick<Actor, 'tenantId' | 'merchantId'>;

/** The merchants of a tenant with all that is set for them (specification 2.9 to 2.11, 4.9; decisions 9, 11). */
export type Merchants = ReturnType<typeof createMerchants>;

export function createMerchants(needs: MerchantDependencies) {
  const { database, audit, clockOf, environmentOf } = needs;
  const { rows } = needs.directory;
  /** Merchants as they were made of their rows. */
  const made = new WeakMap<MerchantRow, Merchant>();

  function madeOf(row: MerchantRow): Merchant {
    const known = made.get(row);
    if (known) return known;
    const merchant = toMerchant(row);
    made.set(row, merchant);
    return merchant;
  }

  async function rowFor(actor: By, merchantId?: string): Promise<MerchantRow> {
    const wanted = merchantId ?? actor.merchantId ?? undefined;
    const row =
      wanted === undefined
        ? (await rows.merchants(actor.tenantId)).find(({ deleted_at }) => deleted_at === null)
        : await rows.merchant(actor.tenantId, wanted);
    if (!row) throw noMerchant(wanted ?? '');
    if (actor.merchantId !== null && row.id !== actor.merchantId)
      throw new ServiceError('MERCHANT_NOT_AUTHORIZED', 'This credential has no access to that merchant.', {
        details: { merchantId: row.id },
      });
    return row;
  }

  /** Same as `rowFor()`, for a merchant that was not deleted. */
  async function present(actor: By, merchantId: string): Promise<MerchantRow> {
    const row = await rowFor(actor, merchantId);
    if (row.deleted_at !== null) throw noMerchant(merchantId);
    return row;
  }

  const deps: Dependencies = { ...needs, rowFor: present };
  const gateways = createGatewaySettings(deps);

  function newRow(tenantId: string, of: NewMerchant & { readonly currency: string; readonly timezone: string }, now: number): MerchantRow {
    const blank = { legal_name: null, email: null, phone: null, address: null, city: null, state: null, zip: null };
    return {
      tenant_id: tenantId,
      id: newId('mer', now),
      ...blank,
      name: of.name,
      currency: of.currency,
      timezone: of.timezone,
      country: 'US',
      ...columnsOf(of),
      vt_settings: JSON.stringify(of.vtSettings ?? {}),
      settings: '{}',
      fraud_settings: '{}',
      branding: '{}',
      permissions: '{}',
      dunning_settings: '{}',
      routing: '{}',
      deleted_at: null,
      updated_at: null,
      created_at: isoTime(now),
    };
  }

  async function write(work: Work, row: MerchantRow, environment: 'sandbox' | 'live', now: number): Promise<void> {
    work.insert(MERCHANTS, row);
    if (environment === 'sandbox') work.insert(GATEWAYS, sandboxGatewayRow(row.tenant_id, row.id, now));
    await needs.withMerchant(work, row.tenant_id, row.id, row.timezone, now);
  }

  const profileOf = (row: MerchantRow): MerchantProfile => {
    const { name, legalName, email, phone, currency, timezone, country, address, city, state, zip } = toMerchant(row);
    return { name, legalName, email, phone, currency, timezone, country, address, city, state, zip };
  };

  /** Reads the row under its lock, applies the change and writes the audit entry, so that parallel changes are both kept. */
  async function change(
    actor: Actor,
    merchantId: string,
    of: { readonly action: string; readonly path: string },
    plan: (row: MerchantRow, work: Work) => Promise<{ set: Partial<MerchantRow>; before: object; after: object }>,
  ): Promise<MerchantRow> {
    await present(actor, merchantId);
    const row = await database.unitOfWork.run(actor.tenantId, async (work) => {
      const locked = await work.lockOne(MERCHANTS, { id: merchantId });
      if (!locked || locked.deleted_at !== null) throw noMerchant(merchantId);
      const { set, before, after } = await plan(locked, work);
      const whole = { ...set, updated_at: isoTime(clockOf(actor.tenantId).now()) };
      await work.update(MERCHANTS, { id: merchantId }, whole);
      audit(work, {
        actor,
        action: of.action,
        resource: `merchants/${merchantId}${of.path}`,
        merchantId,
        before: before as Record<string, unknown>,
        after: after as Record<string, unknown>,
      });
      return { ...locked, ...whole };
    });
    rows.changed(actor.tenantId);
    return row;
  }

  function checkSection(
    actor: Actor,
    name: SectionName,
    row: MerchantRow,
    value: Sections[SectionName],
    gatewayList: readonly GatewayRow[],
  ): void {
    if (name === 'gateway-routing') checkRules((value as Sections['gateway-routing']).rules, gatewayList);
    if (name === 'permissions') {
      const { permissions } = value as Sections['permissions'];
      if (permissions !== null) needs.checkGrant(actor, permissions);
      if (actor.merchantId === row.id)
        throw new ServiceError('MERCHANT_NOT_AUTHORIZED', 'Only users of the whole account can set what a merchant may do.');
    }
  }

  /** Returns the change of a settings object as it is stored. */
  function keptForm<Name extends SectionName>(name: Name, patch: Partial<Sections[Name]>): Partial<Sections[Name]> {
    const { publicUrl } = patch as Partial<Sections['settings']>;
    return name === 'settings' && typeof publicUrl === 'string' ? { ...patch, publicUrl: parsePublicUrl(publicUrl, 'publicUrl') } : patch;
  }

  const payerUrl = ({ publicUrl }: Merchant) => publicUrl ?? needs.ownUrl();

  return {
    gateways,
    /** The address of a page that a payer of this merchant opens. */
    pageUrl: (merchant: Merchant, path: string): string => payerUrl(merchant) + path,
    /** True if these addresses open on this computer only. */
    isLocalOnly: (merchant: Merchant): boolean => isLoopback(payerUrl(merchant)),
    /** Returns true if a Host header names a merchant's public address. */
    async isPublicHost(host: string): Promise<boolean> {
      return (await rows.publicHosts()).has(host);
    },
    /** The merchant that a call acts for: the named one, else the credential's, else the tenant's first. A deleted one is found where it is named. */
    async merchantFor(actor: By, merchantId?: string): Promise<Merchant> {
      return madeOf(await rowFor(actor, merchantId));
    },
    /** Same as `merchantFor()`, for a merchant that was not deleted. */
    async get(actor: By, merchantId: string): Promise<Merchant> {
      return madeOf(await present(actor, merchantId));
    },
    /** The merchants that a caller may act for, the oldest first. */
    async merchantsOf(actor: By): Promise<Merchant[]> {
      const list = await rows.merchants(actor.tenantId);
      return list.filter(({ id, deleted_at }) => deleted_at === null && (actor.merchantId === null || id === actor.merchantId)).map(madeOf);
    },
    async page(actor: By, at: PageRequest): Promise<Page<Merchant>> {
      const { from = '', until } = at.created ?? {};
      const isWanted = ({ createdAt }: Merchant) => createdAt >= from && (until === undefined || createdAt < until);
      return pageOf((await this.merchantsOf(actor)).reverse().filter(isWanted), at, ({ merchantId }) => merchantId);
    },
    /** The first merchant of a new tenant, in the work that makes it. */
    async begin(
      work: Work,
      tenantId: string,
      of: NewMerchant & { currency: string; timezone: string },
      environment: 'sandbox' | 'live',
      now: number,
    ) {
      const row = newRow(tenantId, of, now);
      await write(work, row, environment, now);
      return row.id;
    },
    /**
     * Creates a merchant. Missing fields get the values of the tenant's first merchant. @throws ServiceError MERCHANT_NOT_AUTHORIZED for a
     * caller of one merchant.
     */
    async create(actor: Actor, of: NewMerchant): Promise<Merchant> {
      if (actor.merchantId !== null)
        throw new ServiceError('MERCHANT_NOT_AUTHORIZED', 'Only users of the whole account can create merchants.');
      const first = await rowFor(actor);
      const now = clockOf(actor.tenantId).now();
      const row = newRow(
        actor.tenantId,
        { country: first.country, ...of, currency: of.currency ?? first.currency, timezone: of.timezone ?? first.timezone },
        now,
      );
      await database.unitOfWork.run(actor.tenantId, async (work) => {
        await write(work, row, environmentOf(actor.tenantId), now);
        audit(work, {
          actor,
          action: 'merchant.created',
          resource: `merchants/${row.id}`,
          merchantId: row.id,
          after: { ...profileOf(row) },
        });
      });
      rows.changed(actor.tenantId);
      return madeOf(row);
    },
    async update(actor: Actor, merchantId: string, profile: Partial<MerchantProfile>): Promise<Merchant> {
      const set = columnsOf(profile);
      const row = await change(actor, merchantId, { action: 'merchant.updated', path: '' }, async (before, work) => {
        const after = { ...before, ...set };
        if (after.timezone !== before.timezone)
          await needs.events.publish(work, 'merchant.time-zone-changed', { merchantId, timeZone: after.timezone });
        return { set, before: profileOf(before), after: profileOf(after) };
      });
      return madeOf(row);
    },
    /** Closes a merchant: it takes no more payments and its keys are revoked; its record stays. The tenant's last stays open (RESOURCE_CONFLICT). */
    async remove(actor: Actor, merchantId: string): Promise<void> {
      await change(actor, merchantId, { action: 'merchant.deleted', path: '' }, async (row, work) => {
        const others = await work.row(
          queriesOn(MERCHANTS)
            .selectFrom('merchants')
            .select('id')
            .where('tenant_id', '=', TENANT)
            .where('deleted_at', 'is', null)
            .where('id', '<>', merchantId)
            .limit(1),
        );
        if (!others)
          throw new ServiceError('RESOURCE_CONFLICT', 'This is the last merchant of the account.', {
            details: { reason: 'last_merchant' },
          });
        await needs.events.publish(work, 'merchant.deleted', { merchantId });
        const deleted_at = isoTime(clockOf(actor.tenantId).now());
        return { set: { deleted_at }, before: { name: row.name, deletedAt: null }, after: { name: row.name, deletedAt: deleted_at } };
      });
    },
    /** Returns a settings object. */
    async section<Name extends SectionName>(actor: By, merchantId: string, name: Name): Promise<Sections[Name]> {
      return sectionOf(await present(actor, merchantId), name);
    },
    /** Changes the given fields of a settings object, effective with the next request. Returns the whole object (decisions 9). */
    async changeSection<Name extends SectionName>(
      actor: Actor,
      merchantId: string,
      name: Name,
      wanted: Partial<Sections[Name]>,
    ): Promise<Sections[Name]> {
      const patch = keptForm(name, wanted);
      const action = `${name.replaceAll('-', '_')}.updated`;
      const row = await change(actor, merchantId, { action, path: `/${name}` }, async (locked, work) => {
        const before = sectionOf(locked, name);
        const after = { ...before, ...patch };
        checkSection(actor, name, locked, after, await gatewaysIn(work, merchantId));
        const kept = JSON.parse(locked[COLUMNS[name]] as string) as object;
        return { set: { [COLUMNS[name]]: JSON.stringify({ ...kept, ...patch }) }, before, after };
      });
      return sectionOf(row, name);
    },
    /** Returns the gateways for a payment of a merchant, with the reasons. Rules that are not saved can be tried. */
    async route(merchant: Merchant, tenantId: string, facts: RoutingAttributes, rules?: readonly RoutingRule[]): Promise<Route> {
      const list = await gatewaysOf(deps, tenantId, merchant.merchantId);
      if (rules) checkRules(rules, list);
      const lost = await gateways.lostAmong(list);
      return follow(rules ? { rules } : merchant.routing, list, facts, needs.gateways.isOpen, (id) => lost.has(id));
    },
    /** Returns the settings that a client program needs (specification 4.1, getConfig). */
    async config(actor: By) {
      const row = await rowFor(actor);
      const { merchantId, name, currency, timezone, country, vtSettings } = madeOf(row);
      const active = (await gatewaysOf(deps, actor.tenantId, merchantId)).filter(({ status }) => status === 'active');
      return {
        merchantId,
        name,
        environment: environmentOf(actor.tenantId),
        currency,
        timezone,
        country,
        paymentMethods: vtSettings.allowedModes,
        gateways: active.map((gateway) => gateway.name),
        branding: sectionOf(row, 'branding'),
        virtualTerminal: vtSettings,
      };
    },
    /** Returns the fees of a merchant by payment method, also of a deleted one. */
    async feesOf(tenantId: string, merchantId: string): Promise<Pick<Sections['settings'], 'cardFee' | 'achFee'>> {
      const { cardFee, achFee } = sectionOf(await rowFor({ tenantId, merchantId: null }, merchantId), 'settings');
      return { cardFee, achFee };
    },
    /** The fee schedule of the merchant that a call acts for, by method (decisions 9). */
    async fees(actor: By) {
      const row = await rowFor(actor);
      const { cardFee, achFee } = sectionOf(row, 'settings');
      const { currency } = madeOf(row);
      return { card: { ...cardFee, currency }, ach: { ...achFee, currency } };
    },
    /** Returns a merchant's time zone as the unit of work sees it, also of a deleted merchant. */
    async zoneIn(work: Work, merchantId: string): Promise<string> {
      const row = await work.one(MERCHANTS, { id: merchantId });
      if (!row) throw noMerchant(merchantId);
      return row.timezone;
    },
    /** Holds a merchant's row until the end of the work. */
    async lock(work: Work, merchantId: string): Promise<void> {
      await work.lockOne(MERCHANTS, { id: merchantId });
    },
    /** Drops the cached rows of a tenant, after a job has changed them. */
    forget: (tenantId: string) => rows.changed(tenantId),
    /** Returns the most that credentials of the merchant may do: nothing after its deletion. */
    async ceilingOf(tenantId: string, merchantId: string): Promise<readonly string[] | null> {
      const row = await rows.merchant(tenantId, merchantId);
      return row && row.deleted_at === null ? madeOf(row).ceiling : [];
    },
    /** Returns true if webhooks may target private addresses: in a sandbox, or if a merchant of the tenant allows it (decisions 8). */
    async allowsPrivateTargets(tenantId: string): Promise<boolean> {
      if (environmentOf(tenantId) === 'sandbox') return true;
      return (await rows.merchants(tenantId)).some((row) => row.deleted_at === null && madeOf(row).allowPrivateWebhookTargets);
    },
  };
}

function noMerchant(merchantId: string): ServiceError {
  return new ServiceError('MERCHANT_NOT_FOUND', `There is no merchant ${merchantId.slice(0, 60)}.`, { details: { merchantId } });
}
