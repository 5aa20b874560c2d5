import { type Page, type PageRequest, pageOf, type Work } from '#core/database';
import { type Actor, isoTime, newId, parseCurrentCurrency, ServiceError, storedCurrency } from '#core/kernel';
import { readLogo } from '#core/platform/received-files';
import type { RoutingAttributes } from '#core/processing/gateways';
import { createClosing, noMerchant } from './closing.ts';
import type { Dependencies, MerchantDependencies } from './dependencies.ts';
import { fraudChangeFrom } from './fraud-limits.ts';
import { gatewaysIn, gatewaysOf, sandboxGatewayRow } from './gateway.ts';
import { createGatewaySettings } from './gateways.ts';
import { checkLateFees } from './late-fee-settings.ts';
import { columnsOf, type Merchant, type MerchantProfile, type NewMerchant, toMerchant } from './merchant.ts';
import { addressProblem, checkPublicAddress, proveAddress } from './public-address.ts';
import { isLoopback, parsePublicUrl } from './public-url.ts';
import { vtChangeFrom } from './queued-payment-limits.ts';
import { checkDelivery, checkReminders } from './reminder-settings.ts';
import { checkRules, type Route, routePayment } from './routing.ts';
import { GATEWAYS, type GatewayRow, MERCHANTS, type MerchantRow } from './schema.ts';
import {
  COLUMNS,
  type FraudSettings,
  NEW_VT_SETTINGS,
  type RoutingRule,
  type SectionName,
  type Sections,
  sectionOf,
  type VtSettings,
} from './settings.ts';
import { payerAddressChangedText } from './texts.ts';

export { cashUnitFor } from './cash-rounding.ts';
export { createMerchantDirectory } from './directory.ts';
export { fraudChangeFrom } from './fraud-limits.ts';

export { checkOpen, type Merchant, type NewMerchant } from './merchant.ts';
export { CHALLENGE, PROOF_PATH } from './public-address.ts';
export { hostOf, isLoopback, parsePublicUrl } from './public-url.ts';
export { READABLE_GATEWAYS, READABLE_MERCHANTS } from './read-model.ts';
export { CutoffTime, Gateway, GatewayChannels, GatewayMode, GatewayType, HoldMinutes, MerchantRecord } from './records.ts';
export { type Route, refusalOf } from './routing.ts';
export type {
  DunningSettings,
  FeeRate,
  FraudSettings,
  LateFeeSettings,
  MerchantSettings,
  ReminderSettings,
  ReminderStep,
  RoutingRule,
  SectionName,
} from './settings.ts';
export { PermissionsIn, RulesIn, SECTIONS } from './settings.ts';

export const TABLES = [MERCHANTS, GATEWAYS];

type By = Pick<Actor, 'tenantId' | 'merchantId'>;

/** Merchants of a tenant with their settings and gateways. */
export type Merchants = ReturnType<typeof createMerchants>;

export function createMerchants(needs: MerchantDependencies) {
  const { database, audit, clockOf, environmentOf } = needs;
  const { rows } = needs.directory;
  /** Merchants that were created from rows. */
  const merchantByRow = new WeakMap<MerchantRow, Merchant>();

  const payerUrl = ({ publicUrl }: Pick<Merchant, 'publicUrl'>) => publicUrl ?? needs.ownUrl();

  function merchantOf(row: MerchantRow): Merchant {
    const known = merchantByRow.get(row);
    if (known) return known;
    const stored = toMerchant(row);
    const merchant = {
      ...stored,
      get isLocalOnly() {
        return isLoopback(payerUrl(stored));
      },
    };
    merchantByRow.set(row, merchant);
    return merchant;
  }

  async function rowFor(actor: By, merchantId?: string): Promise<MerchantRow> {
    const requested = merchantId ?? actor.merchantId ?? undefined;
    const row =
      requested === undefined
        ? (await rows.merchants(actor.tenantId)).find(({ deleted_at }) => deleted_at === null)
        : await rows.merchant(actor.tenantId, requested);
    if (!row) throw noMerchant(requested ?? '');
    if (actor.merchantId !== null && row.id !== actor.merchantId)
      throw new ServiceError('MERCHANT_NOT_AUTHORIZED', 'You have no access to this merchant.', {
        details: { merchantId: row.id },
      });
    return row;
  }

  /** Same as `rowFor()`, for a merchant that was not deleted. */
  async function openRow(actor: By, merchantId: string): Promise<MerchantRow> {
    const row = await rowFor(actor, merchantId);
    if (row.deleted_at !== null) throw noMerchant(merchantId);
    return row;
  }

  const deps: Dependencies = { ...needs, rowFor: openRow };
  const gateways = createGatewaySettings(deps);

  function newRow(
    tenantId: string,
    input: NewMerchant & { readonly currency: string; readonly timezone: string },
    now: number,
  ): MerchantRow {
    const blank = { legal_name: null, email: null, phone: null, address: null, city: null, state: null, zip: null };
    return {
      tenant_id: tenantId,
      id: newId('mer', now),
      ...blank,
      name: input.name,
      timezone: input.timezone,
      country: 'US',
      ...columnsOf(input),
      currency: parseCurrentCurrency(input.currency),
      vt_settings: JSON.stringify(vtChangeFrom(NEW_VT_SETTINGS, input.vtSettings ?? {}, input.currency)),
      amount_settings: '{}',
      settings: '{}',
      fraud_settings: '{}',
      branding: '{}',
      permissions: '{}',
      dunning_settings: '{}',
      reminder_settings: '{}',
      late_fee_settings: '{}',
      routing: '{}',
      public_url_change: null,
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
  async function changeRow(
    actor: Actor,
    merchantId: string,
    input: { readonly action: string; readonly path: string },
    plan: (row: MerchantRow, work: Work) => Promise<{ set: Partial<MerchantRow>; before: object; after: object }>,
  ): Promise<MerchantRow> {
    await openRow(actor, merchantId);
    const row = await database.unitOfWork.transaction(actor.tenantId, async (work) => {
      const locked = await work.lockOne(MERCHANTS, { id: merchantId });
      if (!locked || locked.deleted_at !== null) throw noMerchant(merchantId);
      const { set, before, after } = await plan(locked, work);
      const changes = { ...set, updated_at: isoTime(clockOf(actor.tenantId).now()) };
      await work.update(MERCHANTS, { id: merchantId }, changes);
      audit(work, {
        actor,
        action: input.action,
        resource: `merchants/${merchantId}${input.path}`,
        merchantId,
        before: before as Record<string, unknown>,
        after: after as Record<string, unknown>,
      });
      return { ...locked, ...changes };
    });
    rows.changed(actor.tenantId, merchantId);
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
    if (name === 'amount-settings') checkTips(value as Sections['amount-settings']);
    if (name === 'late-fee-settings') checkLateFees(value as Sections['late-fee-settings'], storedCurrency(row.currency));
    if (name === 'reminder-settings') checkReminders(value as Sections['reminder-settings']);
    if (name === 'permissions') {
      const { permissions } = value as Sections['permissions'];
      if (permissions !== null) needs.checkGrant(actor, permissions);
      if (actor.merchantId === row.id)
        throw new ServiceError('MERCHANT_NOT_AUTHORIZED', 'Only users of the whole account can set what a merchant may do.');
    }
  }

  /** Returns the change of a settings object as it is stored. */
  function toStoredForm<Name extends SectionName>(name: Name, row: MerchantRow, patch: Partial<Sections[Name]>): Partial<Sections[Name]> {
    if (name === 'fraud-settings')
      return fraudChangeFrom(sectionOf(row, 'fraud-settings'), patch as Partial<FraudSettings>, row.currency) as Partial<Sections[Name]>;
    if (name === 'vt-settings')
      return vtChangeFrom(sectionOf(row, 'vt-settings'), patch as Partial<VtSettings>, row.currency) as Partial<Sections[Name]>;
    const { publicUrl } = patch as Partial<Sections['settings']>;
    return name === 'settings' && typeof publicUrl === 'string' ? { ...patch, publicUrl: parsePublicUrl(publicUrl, 'publicUrl') } : patch;
  }

  async function listOf(actor: By, status: 'open' | 'closed'): Promise<Merchant[]> {
    const list = await rows.merchants(actor.tenantId);
    const isListed = ({ id, deleted_at }: MerchantRow) =>
      (deleted_at === null) === (status === 'open') && (actor.merchantId === null || id === actor.merchantId);
    return list.filter(isListed).map(merchantOf);
  }

  const publicUrlOf = (section: object) => (section as Partial<Sections['settings']>).publicUrl ?? null;

  /** Returns a public address that differs from the present one, after checking it; undefined without a change. */
  async function checkedAddress(
    actor: Actor,
    merchantId: string,
    { publicUrl }: Partial<Sections['settings']>,
  ): Promise<string | null | undefined> {
    if (publicUrl === undefined) return undefined;
    const next = publicUrl === null ? null : parsePublicUrl(publicUrl, 'publicUrl');
    if (next === merchantOf(await openRow(actor, merchantId)).publicUrl) return undefined;
    if (!actor.permissions.has('owner:addresses'))
      throw new ServiceError('PERMISSION_DENIED', 'Only an owner can change the address at which payers pay. Ask an owner to do this.', {
        field: 'publicUrl',
        details: { permission: 'owner:addresses' },
      });
    if (next !== null) await checkPublicAddress(needs.addressCheck, next, environmentOf(actor.tenantId) === 'live');
    return next;
  }

  /** Writes the change of a public address beside the settings: its history, its security activity and the messages to owners. */
  async function changeAddress(work: Work, actor: Actor, row: MerchantRow, next: string | null): Promise<Partial<MerchantRow>> {
    const { publicUrl: from, name } = merchantOf(row);
    const change = { from, to: next, changedBy: actor.name, changedAt: isoTime(clockOf(actor.tenantId).now()) };
    audit(work, {
      actor,
      action: 'payer_address.changed',
      resource: `merchants/${row.id}/settings`,
      merchantId: row.id,
      before: { publicUrl: from },
      after: { publicUrl: next },
    });
    await needs.warnOwners(work, actor.tenantId, payerAddressChangedText({ merchant: name, actorName: actor.name, from, to: next }));
    return { public_url_change: JSON.stringify(change) };
  }

  return {
    gateways,
    /** Returns the address of a page for the payers of a merchant. */
    pageUrl: (merchant: Merchant, path: string): string => payerUrl(merchant) + path,
    /** Returns true if a Host header names a merchant's public address. */
    async isPublicHost(host: string): Promise<boolean> {
      return (await rows.publicHosts()).has(host);
    },
    /**
     * Returns the merchant of a call: the named one (also a deleted one), otherwise that of the credential, otherwise the first of the
     * tenant.
     */
    async merchantFor(actor: By, merchantId?: string): Promise<Merchant> {
      return merchantOf(await rowFor(actor, merchantId));
    },
    /** Same as `merchantFor()`, for a merchant that was not deleted. */
    async get(actor: By, merchantId: string): Promise<Merchant> {
      return merchantOf(await openRow(actor, merchantId));
    },
    /** Returns the merchants that a caller may act for, oldest first. */
    async merchantsOf(actor: By): Promise<Merchant[]> {
      return listOf(actor, 'open');
    },
    /** Returns merchants, newest first: by default the open ones. */
    async page(actor: By, { status = 'open' }: { readonly status?: 'open' | 'closed' }, pageRequest: PageRequest): Promise<Page<Merchant>> {
      const { from = '', until } = pageRequest.created ?? {};
      const isInRange = ({ createdAt }: Merchant) => createdAt >= from && (until === undefined || createdAt < until);
      return pageOf((await listOf(actor, status)).reverse().filter(isInRange), pageRequest, ({ merchantId }) => merchantId);
    },
    /** Creates the first merchant of a new tenant, in the unit of work that creates the tenant. */
    async begin(
      work: Work,
      tenantId: string,
      input: NewMerchant & { currency: string; timezone: string },
      environment: 'sandbox' | 'live',
      now: number,
    ) {
      const row = newRow(tenantId, input, now);
      await write(work, row, environment, now);
      return row.id;
    },
    /**
     * Creates a merchant. Missing fields get the values of the tenant's first merchant. @throws ServiceError MERCHANT_NOT_AUTHORIZED for a
     * caller of one merchant.
     */
    async create(actor: Actor, input: NewMerchant): Promise<Merchant> {
      if (actor.merchantId !== null)
        throw new ServiceError('MERCHANT_NOT_AUTHORIZED', 'Only users of the whole account can create merchants.');
      const first = await rowFor(actor);
      const now = clockOf(actor.tenantId).now();
      const row = newRow(
        actor.tenantId,
        { country: first.country, ...input, currency: input.currency ?? first.currency, timezone: input.timezone ?? first.timezone },
        now,
      );
      await database.unitOfWork.transaction(actor.tenantId, async (work) => {
        await write(work, row, environmentOf(actor.tenantId), now);
        audit(work, {
          actor,
          action: 'merchant.created',
          resource: `merchants/${row.id}`,
          merchantId: row.id,
          after: { ...profileOf(row) },
        });
      });
      rows.changed(actor.tenantId, row.id);
      return merchantOf(row);
    },
    async update(actor: Actor, merchantId: string, profile: Partial<MerchantProfile>): Promise<Merchant> {
      const set = columnsOf(profile);
      const row = await changeRow(actor, merchantId, { action: 'merchant.updated', path: '' }, async (before, work) => {
        const after = { ...before, ...set };
        // A merchant keeps a currency that was withdrawn, because PUT accepts the response of GET.
        if (after.currency !== before.currency) parseCurrentCurrency(after.currency);
        if (after.timezone !== before.timezone)
          await needs.events.publish(work, 'merchant.time-zone-changed', {
            tenantId: actor.tenantId,
            merchantId,
            timeZone: after.timezone,
          });
        return { set, before: profileOf(before), after: profileOf(after) };
      });
      return merchantOf(row);
    },
    ...createClosing(needs),
    /** Returns a settings object. */
    async section<Name extends SectionName>(actor: By, merchantId: string, name: Name): Promise<Sections[Name]> {
      return sectionOf(await openRow(actor, merchantId), name);
    },
    /** Changes the given fields of a settings object, effective with the next request. Returns the whole object. */
    async changeSection<Name extends SectionName>(
      actor: Actor,
      merchantId: string,
      name: Name,
      requested: Partial<Sections[Name]>,
    ): Promise<Sections[Name]> {
      const action = `${name.replaceAll('-', '_')}.updated`;
      const address = name === 'settings' ? await checkedAddress(actor, merchantId, requested as Partial<Sections['settings']>) : undefined;
      const change = name === 'branding' ? await withReadLogo(actor.tenantId, requested) : requested;
      const row = await changeRow(actor, merchantId, { action, path: `/${name}` }, async (locked, work) => {
        const patch = toStoredForm(name, locked, change);
        const before = sectionOf(locked, name);
        const after = { ...before, ...patch };
        if (name === 'reminder-settings' && (after as Sections['reminder-settings']).enabled)
          await checkDelivery((channel) => needs.delivers(actor.tenantId, channel));
        checkSection(actor, name, locked, after, await gatewaysIn(work, merchantId));
        // A higher limit extends the rights of every user and key of the merchant.
        if (name === 'permissions')
          await needs.checkApproval(work, actor, {
            kind: 'access_change',
            merchantId,
            resource: `merchants/${merchantId}/permissions`,
            amount: null,
            details: { action, before, after },
          });
        const stored = JSON.parse(locked[COLUMNS[name]] as string) as object;
        const set: Partial<MerchantRow> = { [COLUMNS[name]]: JSON.stringify({ ...stored, ...patch }) };
        if (address !== undefined) Object.assign(set, await changeAddress(work, actor, locked, address));
        else if (name === 'settings' && publicUrlOf(before) !== publicUrlOf(after))
          throw new ServiceError('RESOURCE_CONFLICT', 'The public address was changed at the same time. Load the settings again.');
        if (name === 'reminder-settings')
          await needs.events.publish(work, 'merchant.reminders-changed', {
            tenantId: actor.tenantId,
            merchantId,
            timeZone: locked.timezone,
            settings: after as Sections['reminder-settings'],
          });
        if (name === 'late-fee-settings') {
          const { enabled } = after as Sections['late-fee-settings'];
          await needs.events.publish(work, 'merchant.late-fees-changed', {
            tenantId: actor.tenantId,
            merchantId,
            timeZone: locked.timezone,
            enabled,
          });
        }
        if (name === 'gateway-routing') await needs.warnAboutDestination(work, actor, `the routing of payments of ${locked.name}`);
        return { set, before, after };
      });
      return sectionOf(row, name);
    },
    /** Returns the gateways for a payment of a merchant, with the reasons. `rules` replaces the saved rules, for a simulation. */
    async route(merchant: Merchant, tenantId: string, facts: RoutingAttributes, rules?: readonly RoutingRule[]): Promise<Route> {
      const list = await gatewaysOf(deps, tenantId, merchant.merchantId);
      if (rules) checkRules(rules, list);
      const lost = await gateways.unreadableAmong(list);
      return routePayment(rules ? { rules } : merchant.routing, list, facts, needs.gateways.isOpen, (id) => lost.has(id));
    },
    /** Returns the answer to the challenge of a server that checks a public address. */
    proveAddress: (challenge: string) => proveAddress(needs.addressCheck, challenge),
    addressProblem: (address: string, mayBePrivate: boolean) => addressProblem(needs.addressCheck, address, mayBePrivate),
    /** Returns the settings that a client program needs. */
    async config(actor: By) {
      const row = await rowFor(actor);
      const { merchantId, name, currency, timezone, country, vtSettings } = merchantOf(row);
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
    /** Returns the fees of the merchant of a call by payment method. */
    async fees(actor: By) {
      const row = await rowFor(actor);
      const { cardFee, achFee } = sectionOf(row, 'settings');
      const { currency } = merchantOf(row);
      return { card: { ...cardFee, currency }, ach: { ...achFee, currency } };
    },
    /** Returns the time zones of all merchants of a tenant by their IDs, also of deleted ones. */
    zones: async (tenantId: string): Promise<ReadonlyMap<string, string>> =>
      new Map((await rows.merchants(tenantId)).map(({ id, timezone }) => [id, timezone])),
    /** Returns a merchant's time zone as the unit of work sees it, also of a deleted merchant. */
    async zoneIn(work: Work, merchantId: string): Promise<string> {
      const row = await work.one(MERCHANTS, { id: merchantId });
      if (!row) throw noMerchant(merchantId);
      return row.timezone;
    },
    /** Returns true if a merchant is closed. */
    isClosed: async (tenantId: string, merchantId: string): Promise<boolean> =>
      (await rows.merchant(tenantId, merchantId))?.deleted_at !== null,
    /** Same as `isClosed()`, by the committed state: cached rows may be older. */
    async isClosedNow(tenantId: string, merchantId: string): Promise<boolean> {
      return (await database.read(tenantId).one(MERCHANTS, { id: merchantId }))?.deleted_at !== null;
    },
    /** Locks a merchant's row until the end of the unit of work. */
    async lock(work: Work, merchantId: string): Promise<void> {
      await work.lockOne(MERCHANTS, { id: merchantId });
    },
    /** Drops the cached rows of a tenant, after a job has changed them. */
    clearCache: (tenantId: string) => rows.changed(tenantId, null),
    /** Returns the maximum permissions of the merchant's credentials; none after its deletion. */
    async ceilingOf(tenantId: string, merchantId: string): Promise<readonly string[] | null> {
      const row = await rows.merchant(tenantId, merchantId);
      return row && row.deleted_at === null ? merchantOf(row).ceiling : [];
    },
    /** Returns true if webhooks may target private addresses: in a sandbox, or if a merchant of the tenant allows it. */
    async allowsPrivateTargets(tenantId: string): Promise<boolean> {
      if (environmentOf(tenantId) === 'sandbox') return true;
      return (await rows.merchants(tenantId)).some((row) => row.deleted_at === null && merchantOf(row).allowPrivateWebhookTargets);
    },
  };
}

/** @throws ServiceError VALIDATION_ERROR if pay pages should offer a tip, but no choice is set. */
function checkTips({ pageTips, tipPercents, tipCustomAmount }: Sections['amount-settings']): void {
  if (pageTips === 'off' || tipCustomAmount || tipPercents.length > 0) return;
  throw new ServiceError('VALIDATION_ERROR', 'Pay pages with a tip need `tipPercents` or `tipCustomAmount`.', { field: 'tipPercents' });
}

/** Returns a change of the branding with the logo in the form that documents draw. @throws ServiceError VALIDATION_ERROR. */
async function withReadLogo<Change extends { logoUrl?: string | null }>(tenantId: string, change: Change): Promise<Change> {
  const { logoUrl } = change;
  return typeof logoUrl === 'string' ? { ...change, logoUrl: await readLogo(tenantId, logoUrl) } : change;
}
