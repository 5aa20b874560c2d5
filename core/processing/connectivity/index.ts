import { networkInterfaces } from 'node:os';
import { queriesOn, UniqueViolation } from '#core/database';
import { type Actor, isoTime, serviceActor } from '#core/kernel';
import type { Gateway, Merchant } from '#core/processing/merchants';
import { connectivityOf, NOTHING_WORKS, observedState, worksIn } from './classify.ts';
import { DatabaseWatch } from './database-watch.ts';
import type { Dependencies } from './dependencies.ts';
import type { ConnectivityReport, GatewayConnectivity } from './records.ts';
import { CONNECTIVITY_STATES } from './schema.ts';
import { type ConnectivityState, NEVER_DOWN, observe, type SteadyState } from './steady-state.ts';

export { ConnectivityReport } from './records.ts';

export const TABLES = [CONNECTIVITY_STATES];

/** Interval at which this server looks at merchants in an outage, and at its network and database. */
const LOOK_EVERY_MS = 1_000;
const NETWORK_EVERY_TICKS = 5;
const GATEWAYS_MAX = 20;

interface Look {
  readonly steady: SteadyState;
  readonly gateways: readonly GatewayConnectivity[];
}

/** Returns true if this computer has an address besides those of its own loopback interface. */
export const hasNetwork = (): boolean =>
  Object.values(networkInterfaces()).some((addresses) => addresses?.some(({ internal }) => !internal));

/** Watches whether payments reach their gateways, and publishes changes (decision record 88). */
export function createConnectivity(deps: Dependencies) {
  const steadyStates = new Map<string, SteadyState>();
  /** States that this server has published, or found published. */
  const published = new Map<string, ConnectivityState>();
  const databaseWatch = new DatabaseWatch(deps.database);
  let hadNetwork = true;
  let ticks = 0;
  let timer: NodeJS.Timeout | undefined;
  let isLooking = false;

  async function gatewaysOf(tenantId: string, merchantId: string): Promise<GatewayConnectivity[]> {
    const actor = serviceActor(tenantId);
    const page = await deps.merchants.gateways.page(actor, merchantId, {}, { page: 1, limit: GATEWAYS_MAX });
    const active = page.items.filter(({ status }) => status === 'active');
    const isConnected = deps.hasNetwork();
    const isDown = async ({ id }: Gateway) =>
      deps.environmentOf(tenantId) === 'sandbox' && (await deps.sandboxGateway.modeOf(tenantId, id)) === 'down';
    return Promise.all(
      active.map(async (gateway) => connectivityOf(gateway, { isSimulatedDown: await isDown(gateway), hasNetwork: isConnected })),
    );
  }

  /** Observes a merchant and publishes its state if it changed. */
  async function look(tenantId: string, { merchantId, currency }: Merchant): Promise<Look> {
    const key = keyOf(tenantId, merchantId);
    const gateways = await gatewaysOf(tenantId, merchantId);
    const before = steadyStates.get(key) ?? NEVER_DOWN;
    const steady = observe(before, observedState(gateways, currency), deps.clockOf(tenantId).now());
    steadyStates.set(key, steady);
    if (steady.state !== (published.get(key) ?? 'online')) await publish(tenantId, merchantId, steady, gateways);
    return { steady, gateways };
  }

  /** Publishes a change once, although several servers observe it. */
  async function publish(tenantId: string, merchantId: string, { state, sinceMs }: SteadyState, gateways: readonly GatewayConnectivity[]) {
    const now = deps.clockOf(tenantId).now();
    const since = isoTime(sinceMs ?? now);
    const isChanged = await deps.database.unitOfWork
      .transaction(tenantId, async (work) => {
        const known = await work.lockOne(CONNECTIVITY_STATES, { merchant_id: merchantId });
        const previousState = known?.state ?? 'online';
        if (previousState === state) return false;
        const set = { state, since, updated_at: isoTime(now) };
        if (known) await work.update(CONNECTIVITY_STATES, { merchant_id: merchantId }, set);
        else work.insert(CONNECTIVITY_STATES, { tenant_id: tenantId, merchant_id: merchantId, ...set });
        deps.emit(work, {
          tenantId,
          merchantId,
          resourceId: merchantId,
          atMs: now,
          type: 'system.connectivity_changed',
          data: {
            state,
            previousState,
            since,
            gateways: gateways.map(({ gatewayId, name, state: gatewayState }) => ({ gatewayId, name, state: gatewayState })),
          },
        });
        return true;
      })
      .catch((error: unknown) => {
        // Another server has just published the first change of the merchant.
        if (error instanceof UniqueViolation) return false;
        throw error;
      });
    published.set(keyOf(tenantId, merchantId), state);
    deps.changed(tenantId, 'connectivity', merchantId);
    if (isChanged && state === 'online') await deps.notifications.sendWaiting(tenantId);
    if (state === 'online') await deps.returned(tenantId, merchantId);
  }

  /** Looks at every merchant of a tenant. */
  async function lookAtTenant(tenantId: string): Promise<void> {
    const merchants = await deps.merchants.merchantsOf({ tenantId, merchantId: null });
    for (const merchant of merchants) await look(tenantId, merchant);
  }

  async function lookAtTenantSafely(tenantId: string): Promise<void> {
    await lookAtTenant(tenantId).catch((cause: unknown) => deps.report('The connection to the gateways could not be checked', { cause }));
  }

  async function tick(): Promise<void> {
    ticks += 1;
    const isDue = ticks % NETWORK_EVERY_TICKS === 0;
    if (isDue && (await databaseWatch.downSince()) !== null) return;
    const isConnected = deps.hasNetwork();
    const isNetworkChanged = isDue && isConnected !== hadNetwork;
    if (isDue) hadNetwork = isConnected;
    const inOutage = [...steadyStates].filter(([, { state, candidate }]) => state !== 'online' || candidate !== null);
    const tenantIds = isNetworkChanged ? await deps.tenantIds() : new Set(inOutage.map(([key]) => key.split('/', 1)[0] ?? ''));
    for (const tenantId of tenantIds) await lookAtTenantSafely(tenantId);
  }

  return {
    /** Starts to watch; continues with the outages that were published before. */
    async start(): Promise<void> {
      const rows = await deps.database
        .readAcrossTenants()
        .rows(queriesOn(CONNECTIVITY_STATES).selectFrom('connectivity_states').selectAll());
      for (const { tenant_id, merchant_id, state, since } of rows) {
        const key = keyOf(tenant_id, merchant_id);
        published.set(key, state);
        steadyStates.set(key, { ...NEVER_DOWN, state, sinceMs: Date.parse(since) });
      }
      timer = setInterval(() => {
        if (isLooking) return;
        isLooking = true;
        void tick()
          .catch(() => {})
          .finally(() => {
            isLooking = false;
          });
      }, LOOK_EVERY_MS);
      timer.unref();
    },
    stop: () => clearInterval(timer),
    /** Looks at the merchants of a tenant after the state of one of its gateways changed. */
    check: lookAtTenantSafely,
    /** Returns true if the merchant's payments reach a gateway now and no outage is being waited out. */
    async takesCards(tenantId: string, merchantId: string): Promise<boolean> {
      const merchant = await deps.merchants.merchantFor({ tenantId, merchantId: null }, merchantId);
      const { steady, gateways } = await look(tenantId, merchant);
      return steady.state === 'online' && gateways.some(({ state }) => state === 'up');
    },
    /** Returns the reach of the caller's merchant. @throws ServiceError MERCHANT_NOT_FOUND, MERCHANT_NOT_AUTHORIZED. */
    async of(actor: Actor, merchantId?: string): Promise<ConnectivityReport> {
      const downSince = await databaseWatch.downSince();
      if (downSince !== null) return withoutDatabase(downSince);
      const merchant = await deps.merchants.merchantFor(actor, merchantId);
      const { steady, gateways } = await look(actor.tenantId, merchant);
      const channels = await deps.notifications.channelHealth({ ...actor, merchantId: merchant.merchantId });
      return {
        state: steady.state,
        since: steady.sinceMs === null ? null : isoTime(steady.sinceMs),
        merchantId: merchant.merchantId,
        gateways,
        works: worksIn(steady.state, gateways.length > 0, chargesLater(merchant)),
        waitingMessages: channels.reduce((sum, { queued }) => sum + queued, 0),
        waitingPayments: await deps.waitingPayments(actor.tenantId, merchant.merchantId),
      };
    },
    /** Returns the reach while the database is down, without it; null if the database answers. */
    async withoutDatabase(): Promise<ConnectivityReport | null> {
      const since = await databaseWatch.downSince();
      return since === null ? null : withoutDatabase(since);
    },
  };
}

/** Returns true if the merchant has limits for payments that are charged later, in its present currency. */
const chargesLater = ({ currency, vtSettings }: Merchant) =>
  vtSettings.chargeLaterMaxAmount !== null && (vtSettings.chargeLaterCurrency ?? currency) === currency;

const keyOf = (tenantId: string, merchantId: string) => `${tenantId}/${merchantId}`;

const withoutDatabase = (since: string): ConnectivityReport => ({
  state: 'database-down',
  since,
  merchantId: null,
  gateways: [],
  works: NOTHING_WORKS,
  waitingMessages: 0,
  waitingPayments: 0,
});
