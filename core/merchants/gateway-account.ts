import type { GatewayAccount, OpenAccount } from '#core/gateways';
import { storedCurrency } from '#core/kernel';
import { cutoffAfter, sendingAfter } from './cutoff.ts';
import { type GatewaySettings, settingsOf } from './gateway.ts';
import type { Rows } from './rows.ts';
import type { GatewayRow } from './schema.ts';

/** Values by the names of the processor's credential fields. */
export type Credentials = Readonly<Record<string, string>>;

/** Returns the purpose under which the credentials of a gateway are encrypted. */
const purposeOf = (gatewayId: string) => `gateway/${gatewayId}`;

/** An account as its processor's connector needs it. */
export function accountWith(tenantId: string, gatewayId: string, credentials: Credentials, settings: GatewaySettings): GatewayAccount {
  const { mode, origin, currency, timezone } = settings;
  return { tenantId, gatewayId, credentials, mode, origin: origin ?? undefined, currency: storedCurrency(currency), timezone };
}

interface AccountNeeds {
  readonly rows: Rows;
  readonly secrets: {
    seal(tenantId: string, purpose: string, text: string): Promise<string>;
    open(tenantId: string, purpose: string, sealed: string): Promise<string>;
  };
  /** Writes an entry to the log for a person. */
  readonly report: (message: string, context: Record<string, unknown>) => void;
}

/** The row from which an account was opened. While it is unchanged, so is the account. */
interface Known {
  readonly type: string;
  readonly credentials: string;
  readonly settings: string;
  readonly open: OpenAccount;
}

/** Accounts of live gateways, including removed ones, which still capture and refund their payments. */
export function createGatewayAccounts(on: AccountNeeds) {
  const known = new Map<string, Known>();
  /** Gateways already reported as unreadable, so that each is reported once. */
  const lost = new Map<string, string>();

  /** The credentials of a gateway in the clear: none where it has none, null where they cannot be opened and have to be entered again. */
  async function credentialsOf({ tenant_id, id, credentials }: GatewayRow): Promise<Credentials | null> {
    if (credentials === null) return {};
    try {
      const opened = JSON.parse(await on.secrets.open(tenant_id, purposeOf(id), credentials)) as Credentials;
      lost.delete(id);
      return opened;
    } catch (cause) {
      if (lost.get(id) !== credentials)
        on.report('The credentials of a gateway cannot be opened; enter them again.', { tenantId: tenant_id, gatewayId: id, cause });
      lost.set(id, credentials);
      return null;
    }
  }

  const settingsFor = async (tenantId: string, gatewayId: string) => {
    const row = await on.rows.gateway(tenantId, gatewayId);
    return row ? settingsOf(row) : null;
  };

  /** Null for one of the sandbox, and where its credentials cannot be opened. */
  async function accountOf(row: GatewayRow): Promise<OpenAccount | null> {
    const { tenant_id: tenantId, id: gatewayId, type, credentials, settings } = row;
    if (settings === null || credentials === null) return null;
    const before = known.get(gatewayId);
    if (before?.credentials === credentials && before.settings === settings && before.type === type) return before.open;
    const opened = await credentialsOf(row);
    if (opened === null) return null;
    // If two callers open it in parallel, both use the account that is stored first.
    const now = known.get(gatewayId);
    if (now && now !== before) return now.open;
    const open = { type, account: accountWith(tenantId, gatewayId, opened, settingsOf(row) as GatewaySettings) };
    known.set(gatewayId, { type, credentials, settings, open });
    return open;
  }

  return {
    /** Seals the credentials of a gateway. */
    seal: (tenantId: string, gatewayId: string, credentials: Readonly<Record<string, unknown>>): Promise<string> =>
      on.secrets.seal(tenantId, purposeOf(gatewayId), JSON.stringify(credentials)),
    credentialsOf,
    /** Returns the IDs of those gateways whose credentials cannot be decrypted. */
    async lostAmong(rows: readonly GatewayRow[]): Promise<ReadonlySet<string>> {
      const live = rows.filter(({ settings, credentials }) => settings !== null && credentials !== null);
      const isLost = await Promise.all(live.map(async (row) => (await accountOf(row)) === null));
      return new Set(live.filter((_, index) => isLost[index]).map(({ id }) => id));
    },
    /** The account of a gateway; null where there is none or its credentials cannot be opened. The same object until its credentials or settings change. */
    async accountOf(tenantId: string, gatewayId: string): Promise<OpenAccount | null> {
      const row = await on.rows.gateway(tenantId, gatewayId);
      return row ? accountOf(row) : null;
    },
    /** Every account of a tenant, or of one of its merchants. */
    async accountsOf(tenantId: string, merchantId?: string): Promise<OpenAccount[]> {
      const rows = await on.rows.gateways(tenantId);
      const open = await Promise.all(rows.filter((row) => merchantId === undefined || row.merchant_id === merchantId).map(accountOf));
      return open.filter((account) => account !== null);
    },
    /** Returns true if the account of a live gateway moves no money. */
    async isTest(tenantId: string, gatewayId: string): Promise<boolean> {
      return (await settingsFor(tenantId, gatewayId))?.mode === 'test';
    },
    /** Returns the time at which a capture is sent: immediately for a gateway without batches, such as the sandbox. */
    async holdOf(tenantId: string, gatewayId: string, nowMs: number): Promise<number> {
      const settings = await settingsFor(tenantId, gatewayId);
      return settings ? sendingAfter(settings, nowMs) : nowMs;
    },
    /** The next cut-off after an instant: when what was captured by then begins to be settled; the instant itself as with holdOf(). */
    async batchClosesAfter(tenantId: string, gatewayId: string, nowMs: number): Promise<number> {
      const settings = await settingsFor(tenantId, gatewayId);
      return settings ? cutoffAfter(settings, nowMs) : nowMs;
    },
  };
}
