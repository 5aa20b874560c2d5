import type { Work } from '#core/database';
import {
  type Actor,
  type Currency,
  isoTime,
  newId,
  parseCurrentCurrency,
  parseMoney,
  parseMoneyOrZero,
  ServiceError,
  storedCurrency,
} from '#core/kernel';
import { readLogo } from '#core/platform/received-files';
import { checkCashRounding } from './cash-rounding.ts';
import type { Dependencies } from './dependencies.ts';
import { fraudChangeFrom } from './fraud-limits.ts';
import { gatewaysIn, sandboxGatewayRow } from './gateway.ts';
import { columnsOf, type Merchant, type MerchantProfile, type NewMerchant, profileOf } from './merchant.ts';
import { checkPublicAddress } from './public-address.ts';
import { parsePublicUrl } from './public-url.ts';
import { anyRow, merchantOf, noMerchant, openRow } from './read.ts';
import { checkDelivery, checkReminders } from './reminder-settings.ts';
import { checkRules } from './routing.ts';
import { GATEWAYS, type GatewayRow, MERCHANTS, type MerchantRow } from './schema.ts';
import {
  COLUMNS,
  type FraudSettings,
  type LateFeeSettings,
  NEW_VT_SETTINGS,
  type SectionName,
  type Sections,
  sectionOf,
  type VtSettings,
} from './settings.ts';
import { payerAddressChangedText } from './texts.ts';

const QUEUED_PAYMENT_LIMITS = ['chargeLaterMaxAmount', 'chargeLaterMaxPerCustomer'] as const;

/** Reads the row under its lock, applies the change and writes the audit entry, so that parallel changes are both kept. */
async function changeRow(
  deps: Dependencies,
  actor: Actor,
  merchantId: string,
  input: { readonly action: string; readonly path: string },
  plan: (row: MerchantRow, work: Work) => Promise<{ set: Partial<MerchantRow>; before: object; after: object }>,
): Promise<MerchantRow> {
  await openRow(deps, actor, merchantId);
  const row = await deps.database.unitOfWork.transaction(actor.tenantId, async (work) => {
    const locked = await work.lockOne(MERCHANTS, { id: merchantId });
    if (!locked || locked.deleted_at !== null) throw noMerchant(merchantId);
    const { set, before, after } = await plan(locked, work);
    const changes = { ...set, updated_at: isoTime(deps.clockOf(actor.tenantId).now()) };
    await work.update(MERCHANTS, { id: merchantId }, changes);
    deps.audit(work, {
      actor,
      action: input.action,
      resource: `merchants/${merchantId}${input.path}`,
      merchantId,
      before: before as Record<string, unknown>,
      after: after as Record<string, unknown>,
    });
    return { ...locked, ...changes };
  });
  deps.directory.rows.changed(actor.tenantId, merchantId);
  return row;
}

function checkSection(
  deps: Dependencies,
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
    if (permissions !== null) deps.checkGrant(actor, permissions);
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

const publicUrlOf = (section: object) => (section as Partial<Sections['settings']>).publicUrl ?? null;

/** Returns a public address that differs from the present one, after checking it; undefined without a change. */
async function checkedAddress(deps: Dependencies, actor: Actor, merchantId: string, { publicUrl }: Partial<Sections['settings']>) {
  if (publicUrl === undefined) return undefined;
  const next = publicUrl === null ? null : parsePublicUrl(publicUrl, 'publicUrl');
  if (next === merchantOf(deps, await openRow(deps, actor, merchantId)).publicUrl) return undefined;
  if (!actor.permissions.has('owner:addresses'))
    throw new ServiceError('PERMISSION_DENIED', 'Only an owner can change the address at which payers pay. Ask an owner to do this.', {
      field: 'publicUrl',
      details: { permission: 'owner:addresses' },
    });
  if (next !== null) await checkPublicAddress(deps.addressCheck, next, deps.environmentOf(actor.tenantId) === 'live');
  return next;
}

/** Writes the change of a public address beside the settings: its history, its security activity and the messages to owners. */
async function changeAddress(deps: Dependencies, work: Work, actor: Actor, row: MerchantRow, next: string | null) {
  const { publicUrl: from, name } = merchantOf(deps, row);
  const change = { from, to: next, changedBy: actor.name, changedAt: isoTime(deps.clockOf(actor.tenantId).now()) };
  deps.audit(work, {
    actor,
    action: 'payer_address.changed',
    resource: `merchants/${row.id}/settings`,
    merchantId: row.id,
    before: { publicUrl: from },
    after: { publicUrl: next },
  });
  await deps.warnOwners(work, actor.tenantId, payerAddressChangedText({ merchant: name, actorName: actor.name, from, to: next }));
  return { public_url_change: JSON.stringify(change) };
}

export async function updateMerchant(
  deps: Dependencies,
  actor: Actor,
  merchantId: string,
  profile: Partial<MerchantProfile>,
): Promise<Merchant> {
  const set = columnsOf(profile);
  const row = await changeRow(deps, actor, merchantId, { action: 'merchant.updated', path: '' }, async (before, work) => {
    const after = { ...before, ...set };
    // A merchant keeps a currency that was withdrawn, because PUT accepts the response of GET.
    if (after.currency !== before.currency) parseCurrentCurrency(after.currency);
    if (after.timezone !== before.timezone)
      await deps.events.publish(work, 'merchant.time-zone-changed', { tenantId: actor.tenantId, merchantId, timeZone: after.timezone });
    return { set, before: profileOf(before), after: profileOf(after) };
  });
  return merchantOf(deps, row);
}

/** Changes the given fields of a settings object, effective with the next request. Returns the whole object. */
export async function changeSection<Name extends SectionName>(
  deps: Dependencies,
  actor: Actor,
  merchantId: string,
  name: Name,
  requested: Partial<Sections[Name]>,
): Promise<Sections[Name]> {
  const action = `${name.replaceAll('-', '_')}.updated`;
  const address =
    name === 'settings' ? await checkedAddress(deps, actor, merchantId, requested as Partial<Sections['settings']>) : undefined;
  const change = name === 'branding' ? await withReadLogo(actor.tenantId, requested) : requested;
  const row = await changeRow(deps, actor, merchantId, { action, path: `/${name}` }, async (locked, work) => {
    const patch = toStoredForm(name, locked, change);
    const before = sectionOf(locked, name);
    const after = { ...before, ...patch };
    if (name === 'reminder-settings' && (after as Sections['reminder-settings']).enabled)
      await checkDelivery((channel) => deps.delivers(actor.tenantId, channel));
    checkSection(deps, actor, name, locked, after, await gatewaysIn(work, merchantId));
    // A higher limit extends the rights of every user and key of the merchant.
    if (name === 'permissions')
      await deps.checkApproval(work, actor, {
        kind: 'access_change',
        merchantId,
        resource: `merchants/${merchantId}/permissions`,
        amount: null,
        details: { action, before, after },
      });
    const stored = JSON.parse(locked[COLUMNS[name]] as string) as object;
    const set: Partial<MerchantRow> = { [COLUMNS[name]]: JSON.stringify({ ...stored, ...patch }) };
    if (address !== undefined) Object.assign(set, await changeAddress(deps, work, actor, locked, address));
    else if (name === 'settings' && publicUrlOf(before) !== publicUrlOf(after))
      throw new ServiceError('RESOURCE_CONFLICT', 'The public address was changed at the same time. Load the settings again.');
    if (name === 'reminder-settings')
      await deps.events.publish(work, 'merchant.reminders-changed', {
        tenantId: actor.tenantId,
        merchantId,
        timeZone: locked.timezone,
        settings: after as Sections['reminder-settings'],
      });
    if (name === 'late-fee-settings') {
      const { enabled } = after as Sections['late-fee-settings'];
      await deps.events.publish(work, 'merchant.late-fees-changed', {
        tenantId: actor.tenantId,
        merchantId,
        timeZone: locked.timezone,
        enabled,
      });
    }
    if (name === 'gateway-routing') await deps.warnAboutDestination(work, actor, `the routing of payments of ${locked.name}`);
    return { set, before, after };
  });
  return sectionOf(row, name);
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

function newRow(tenantId: string, input: NewMerchant & { readonly currency: string; readonly timezone: string }, now: number): MerchantRow {
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

async function insertMerchant(deps: Dependencies, work: Work, row: MerchantRow, environment: 'sandbox' | 'live', now: number) {
  work.insert(MERCHANTS, row);
  if (environment === 'sandbox') work.insert(GATEWAYS, sandboxGatewayRow(row.tenant_id, row.id, now));
  await deps.withMerchant(work, row.tenant_id, row.id, row.timezone, now);
}

/** Creates the first merchant of a new tenant, in the unit of work that creates the tenant. */
export async function beginMerchant(
  deps: Dependencies,
  work: Work,
  tenantId: string,
  input: NewMerchant & { currency: string; timezone: string },
  environment: 'sandbox' | 'live',
  now: number,
): Promise<string> {
  const row = newRow(tenantId, input, now);
  await insertMerchant(deps, work, row, environment, now);
  return row.id;
}

/**
 * Creates a merchant. Missing fields get the values of the tenant's first merchant. @throws ServiceError MERCHANT_NOT_AUTHORIZED for a
 * caller of one merchant.
 */
export async function createMerchant(deps: Dependencies, actor: Actor, input: NewMerchant): Promise<Merchant> {
  if (actor.merchantId !== null) throw new ServiceError('MERCHANT_NOT_AUTHORIZED', 'Only users of the whole account can create merchants.');
  const first = await anyRow(deps, actor);
  const now = deps.clockOf(actor.tenantId).now();
  const row = newRow(
    actor.tenantId,
    { country: first.country, ...input, currency: input.currency ?? first.currency, timezone: input.timezone ?? first.timezone },
    now,
  );
  await deps.database.unitOfWork.transaction(actor.tenantId, async (work) => {
    await insertMerchant(deps, work, row, deps.environmentOf(actor.tenantId), now);
    deps.audit(work, {
      actor,
      action: 'merchant.created',
      resource: `merchants/${row.id}`,
      merchantId: row.id,
      after: { ...profileOf(row) },
    });
  });
  deps.directory.rows.changed(actor.tenantId, row.id);
  return merchantOf(deps, row);
}

/** Checks the late fees of a merchant. @throws ServiceError INVALID_AMOUNT; VALIDATION_ERROR if they are switched on with a fee of zero. */
function checkLateFees({ enabled, kind, amount, percent, ceilingPercent }: LateFeeSettings, currency: Currency): void {
  const { minor } = parseMoneyOrZero(amount, currency, 'amount');
  if (!enabled) return;
  const zero = kind === 'fixed' ? (minor === 0 ? 'amount' : null) : percent === 0 ? 'percent' : null;
  const field = zero ?? (ceilingPercent === 0 ? 'ceilingPercent' : null);
  if (field === null) return;
  throw new ServiceError('VALIDATION_ERROR', `\`${field}\` must be greater than 0 before you switch late fees on.`, { field });
}

/**
 * Returns a change of the virtual terminal as it is stored: with the currency of changed limits, so that a later change of the merchant's currency does
 * not change them. @throws ServiceError VALIDATION_ERROR for another currency than that of the merchant, and for a limit that stays in another one;
 * INVALID_AMOUNT for more decimals than the currency has, and the errors of `checkCashRounding`.
 */
function vtChangeFrom(before: VtSettings, change: Partial<VtSettings>, currency: string): Partial<VtSettings> {
  checkCashRounding(change.cashRounding);
  const { chargeLaterCurrency: stated } = change;
  const changed = QUEUED_PAYMENT_LIMITS.filter((field) => change[field] !== undefined);
  if (changed.length === 0 && stated === undefined) return change;
  if (stated != null && stated !== currency)
    throw new ServiceError('VALIDATION_ERROR', `\`chargeLaterCurrency\` must be ${currency}, the currency of the merchant.`, {
      field: 'chargeLaterCurrency',
    });
  const after = { ...before, ...change };
  if (QUEUED_PAYMENT_LIMITS.every((field) => after[field] === null)) return { ...change, chargeLaterCurrency: null };
  const { chargeLaterCurrency: present } = before;
  for (const field of QUEUED_PAYMENT_LIMITS) {
    const amount = after[field];
    if (amount === null) continue;
    if (stated == null && present !== null && present !== currency && change[field] === undefined)
      throw new ServiceError('VALIDATION_ERROR', `\`${field}\` is in ${present}. Send it in ${currency} as well, or null.`, { field });
    parseMoney(amount, storedCurrency(currency), field);
  }
  return { ...change, chargeLaterCurrency: currency };
}
