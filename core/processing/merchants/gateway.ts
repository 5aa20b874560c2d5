import type { Work } from '#core/database';
import { isoTime, newId } from '#core/kernel';
import type { GatewayHealth, Gateways } from '#core/processing/gateways';
import type { Gateway, GatewayCheck, GatewaySettings } from './records.ts';
import type { Rows } from './rows.ts';
import { GATEWAYS, type GatewayRow } from './schema.ts';

export const CREDENTIALS_UNREADABLE = 'The credentials of this gateway cannot be decrypted. Enter them again.';

const NO_HEALTH: GatewayHealth = {
  state: 'closed',
  since: null,
  failures: 0,
  lastAnswerAt: null,
  lastFailureAt: null,
  lastReason: null,
  nextProbeAt: null,
  isRefused: false,
};

/** Returns the gateways of a merchant by priority, without removed ones. */
export async function gatewaysOf(
  { directory }: { readonly directory: { readonly rows: Rows } },
  tenantId: string,
  merchantId: string,
): Promise<GatewayRow[]> {
  const rows = await directory.rows.gateways(tenantId);
  return rows.filter((row) => row.merchant_id === merchantId && row.removed_at === null);
}

/** Returns the gateways of a merchant as the unit of work sees them, in no particular order. */
export async function gatewaysIn(work: Work, merchantId: string): Promise<GatewayRow[]> {
  return (await work.find(GATEWAYS, { merchant_id: merchantId })).filter(({ removed_at }) => removed_at === null);
}

/** Returns true if the `gateway` of a rule names this gateway, by ID or by name. */
export const isNamed = (row: Pick<GatewayRow, 'id' | 'name'>, name: string) => row.id === name || row.name === name;

/** Settings in their stored form. */
interface StoredSettings extends GatewaySettings {
  /** Returns true if no time zone was chosen and none was learned from the processor, so that its first answer is used. */
  readonly isZoneOpen?: true;
}

const storedSettings = ({ settings }: Pick<GatewayRow, 'settings'>): StoredSettings | null =>
  settings === null ? null : (JSON.parse(settings) as StoredSettings);

/** Returns the settings of a gateway; null for a sandbox gateway. */
export function settingsOf(row: Pick<GatewayRow, 'settings'>): GatewaySettings | null {
  const stored = storedSettings(row);
  if (stored === null) return null;
  const { isZoneOpen: _, ...settings } = stored;
  return settings;
}

export const isZoneOpen = (row: Pick<GatewayRow, 'settings'>): boolean => storedSettings(row)?.isZoneOpen === true;

/** Returns the settings as they are stored. An open time zone becomes that of the processor as soon as it is known. */
export function toStoredSettings(settings: GatewaySettings, check: GatewayCheck | null, isOpen: boolean): string {
  const isConfirmed = check?.state === 'ok';
  const stored: StoredSettings = { ...settings, ...(isOpen && !isConfirmed && { isZoneOpen: true }) };
  return JSON.stringify(isOpen && isConfirmed ? { ...stored, timezone: check.timezone ?? settings.timezone } : stored);
}

/** Returns the last check of a gateway; null if it was never checked. */
export function checkOf({ last_check }: Pick<GatewayRow, 'last_check'>): GatewayCheck | null {
  return last_check === null ? null : (JSON.parse(last_check) as GatewayCheck);
}

const UNCHECKED = { merchantName: null, currencies: [], timezone: null, takesBankAccounts: null, markets: null } as const;

/** Returns a gateway in the form of the API. `isLost`: its credentials cannot be decrypted. */
export function toGateway(deps: { readonly gateways: Pick<Gateways, 'healthOf'> }, row: GatewayRow, isLost = false): Gateway {
  const { id, type, name, status, priority, credentials, created_at, updated_at } = row;
  const settings = settingsOf(row);
  const check = checkOf(row);
  return {
    id,
    type,
    name,
    status,
    priority,
    hasCredentials: credentials !== null,
    settings,
    check: isLost ? { at: updated_at, ...UNCHECKED, ...check, state: 'refused', reason: CREDENTIALS_UNREADABLE } : check,
    health: settings === null ? NO_HEALTH : deps.gateways.healthOf(id),
    createdAt: created_at,
    updatedAt: updated_at,
  };
}

/** Returns the row of the first gateway of a sandbox merchant. */
export function sandboxGatewayRow(tenantId: string, merchantId: string, nowMs: number): GatewayRow {
  const at = isoTime(nowMs);
  return {
    tenant_id: tenantId,
    id: newId('gw', nowMs),
    merchant_id: merchantId,
    type: 'sandbox',
    name: 'sandbox',
    credentials: null,
    status: 'active',
    priority: 1,
    settings: null,
    last_check: null,
    removed_at: null,
    created_at: at,
    updated_at: at,
  };
}
