import { type Secrets, storedCurrency } from '#core/kernel';
import type { GatewayAccount, OpenAccount } from '#core/processing/gateways';
import { captureTimeAfter, cutoffAfter } from './cutoff.ts';
import { checkOf, settingsOf } from './gateway.ts';
import type { GatewayCheck, GatewaySettings } from './records.ts';
import type { Rows } from './rows.ts';
import type { GatewayRow } from './schema.ts';

/** Credentials by the names of the processor's fields. */
export type Credentials = Readonly<Record<string, string>>;

/** Returns the purpose under which the credentials of a gateway are encrypted. */
const purposeOf = (gatewayId: string) => `gateway/${gatewayId}`;

/** Returns an account in the form of its processor's connector, with its last check if there was one. */
export function accountWith(
  tenantId: string,
  gatewayId: string,
  credentials: Credentials,
  { mode, origin, currency, timezone }: GatewaySettings,
  check: GatewayCheck | null = null,
): GatewayAccount {
  const markets = check?.markets ?? null;
  return { tenantId, gatewayId, credentials, mode, origin: origin ?? undefined, currency: storedCurrency(currency), timezone, markets };
}

interface AccountDependencies {
  readonly rows: Rows;
  readonly secrets: Secrets;
  /** Writes a log entry about something that requires a person. */
  readonly report: (message: string, context: Record<string, unknown>) => void;
}

/** A decrypted account with the row values from which it was created. It stays valid while these values are unchanged. */
interface OpenedAccount {
  readonly type: string;
  readonly credentials: string;
  readonly settings: string;
  readonly lastCheck: string | null;
  readonly open: OpenAccount;
}

/** Accounts of live gateways, including removed ones, which still capture and refund their payments. */
export function createGatewayAccounts(deps: AccountDependencies) {
  const openedAccounts = new Map<string, OpenedAccount>();
  /** Gateways already reported as unreadable, so that each is reported once. */
  const reportedUnreadable = new Map<string, string>();

  /**
   * Returns the decrypted credentials of a gateway: empty if it has none, null if they cannot be decrypted and have to be entered again.
   */
  async function credentialsOf({ tenant_id, id, credentials }: GatewayRow): Promise<Credentials | null> {
    if (credentials === null) return {};
    try {
      const opened = JSON.parse(await deps.secrets.open(tenant_id, purposeOf(id), credentials)) as Credentials;
      reportedUnreadable.delete(id);
      return opened;
    } catch (cause) {
      if (reportedUnreadable.get(id) !== credentials)
        deps.report('The credentials of a gateway cannot be decrypted. Enter them again.', { tenantId: tenant_id, gatewayId: id, cause });
      reportedUnreadable.set(id, credentials);
      return null;
    }
  }

  const settingsFor = async (tenantId: string, gatewayId: string) => {
    const row = await deps.rows.gateway(tenantId, gatewayId);
    return row ? settingsOf(row) : null;
  };

  /** Returns the account of a gateway; null for a sandbox gateway, and if its credentials cannot be decrypted. */
  async function accountOf(row: GatewayRow): Promise<OpenAccount | null> {
    const { tenant_id: tenantId, id: gatewayId, type, credentials, settings, last_check: lastCheck } = row;
    if (settings === null || credentials === null) return null;
    const cached = openedAccounts.get(gatewayId);
    const isCurrent = cached?.credentials === credentials && cached.settings === settings && cached.type === type;
    if (isCurrent && cached.lastCheck === lastCheck) return cached.open;
    const opened = await credentialsOf(row);
    if (opened === null) return null;
    // If two callers open it in parallel, both use the account that is stored first.
    const current = openedAccounts.get(gatewayId);
    if (current && current !== cached) return current.open;
    const open = { type, account: accountWith(tenantId, gatewayId, opened, settingsOf(row) as GatewaySettings, checkOf(row)) };
    openedAccounts.set(gatewayId, { type, credentials, settings, lastCheck, open });
    return open;
  }

  /** Returns all accounts of a tenant, or of one of its merchants. */
  async function accountsOf(tenantId: string, merchantId?: string): Promise<OpenAccount[]> {
    const rows = await deps.rows.gateways(tenantId);
    const open = await Promise.all(rows.filter((row) => merchantId === undefined || row.merchant_id === merchantId).map(accountOf));
    return open.filter((account) => account !== null);
  }

  return {
    /** Encrypts the credentials of a gateway. */
    seal: (tenantId: string, gatewayId: string, credentials: Readonly<Record<string, unknown>>): Promise<string> =>
      deps.secrets.seal(tenantId, purposeOf(gatewayId), JSON.stringify(credentials)),
    credentialsOf,
    /** Returns the IDs of those gateways whose credentials cannot be decrypted. */
    async unreadableAmong(rows: readonly GatewayRow[]): Promise<ReadonlySet<string>> {
      const live = rows.filter(({ settings, credentials }) => settings !== null && credentials !== null);
      const isLost = await Promise.all(live.map(async (row) => (await accountOf(row)) === null));
      return new Set(live.filter((_, index) => isLost[index]).map(({ id }) => id));
    },
    /**
     * Returns the account of a gateway; null if there is none or its credentials cannot be decrypted. It is the same object until
     * credentials or settings change.
     */
    async accountOf(tenantId: string, gatewayId: string): Promise<OpenAccount | null> {
      const row = await deps.rows.gateway(tenantId, gatewayId);
      return row ? accountOf(row) : null;
    },
    accountsOf,
    /** Returns the IDs of all gateways of a tenant, or of one of its merchants. */
    gatewayIdsOf: async (tenantId: string, merchantId?: string): Promise<string[]> =>
      (await accountsOf(tenantId, merchantId)).map(({ account }) => account.gatewayId),
    /** Returns true if the account of a live gateway moves no money. */
    async isTest(tenantId: string, gatewayId: string): Promise<boolean> {
      return (await settingsFor(tenantId, gatewayId))?.mode === 'test';
    },
    /** Returns the time at which a capture is sent: immediately for a gateway without batches, such as the sandbox. */
    async holdOf(tenantId: string, gatewayId: string, nowMs: number): Promise<number> {
      const settings = await settingsFor(tenantId, gatewayId);
      return settings ? captureTimeAfter(settings, nowMs) : nowMs;
    },
    /**
     * Returns the next cutoff after a time, at which captures made before start to be settled; the time itself for a gateway without
     * batches.
     */
    async batchClosesAfter(tenantId: string, gatewayId: string, nowMs: number): Promise<number> {
      const settings = await settingsFor(tenantId, gatewayId);
      return settings ? cutoffAfter(settings, nowMs) : nowMs;
    },
  };
}
