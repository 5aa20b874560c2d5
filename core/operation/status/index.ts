import { type Actor, bind, isoTime } from '#core/kernel';
import { messagesItem, paymentsAndRefunds, requestsItem, schedulerItem, webhooksItem } from './account.ts';
import { AddressChecks, type CheckedAddress, readCertificate } from './address-checks.ts';
import { auditLogItem } from './audit-log.ts';
import { ClockWatch } from './clock-watch.ts';
import type { Dependencies, StatusRequest } from './dependencies.ts';
import { type DiskState, diskItem, diskState } from './disk.ts';
import { readFigures } from './figures.ts';
import { gatewayCircuits, gatewaysItem } from './gateways.ts';
import { addressItem, archiveItem, backupItem, databaseAndClock, keysItem, serverItem } from './installation.ts';
import { worst } from './item.ts';
import { STATUS_NAMES, type StatusItem, type SystemStatus } from './records.ts';

export { AddressChecks, type CheckedAddress, readCertificate } from './address-checks.ts';
export { ClockWatch } from './clock-watch.ts';
export type { AuditStreamState, StatusServer } from './dependencies.ts';
export type { Figures, Waiting } from './figures.ts';
export { GatewayCircuit, SystemStatus } from './records.ts';

export type Status = ReturnType<typeof createStatus>;

/** Creates the system status, which is read from indexes, counters and memory. */
export function createStatus(deps: Dependencies) {
  const clock = new ClockWatch();
  const addresses = new AddressChecks(checkAddress);

  /** Asks an address whether it leads to this server. The operator's own may be one of the local network, as those of a sandbox. */
  async function checkAddress(origin: string, isLive: boolean): Promise<CheckedAddress> {
    const problem = await deps.merchants.addressProblem(origin, !isLive || origin === deps.publicUrl);
    return problem === null ? readCertificate(origin) : { problem: problem.cause };
  }

  async function installation(request: StatusRequest): Promise<StatusItem[]> {
    const { server: station } = deps;
    const found = await Promise.all([
      databaseAndClock(deps, clock),
      backupItem(deps, request),
      archiveItem(deps, request),
      keysItem(deps),
      addressItem(deps, addresses, request),
      ...(station ? [serverItem(station, request.environment), diskItem(deps.database, station), auditLogItem(deps, station)] : []),
    ]);
    return found.flat();
  }

  return {
    start: () => clock.start(),
    stop: () => clock.stop(),
    ...bind(deps, { gateways: gatewayCircuits, figures: readFigures }),
    /** Returns the state of the disk with the data directory; null if the core has no data directory. */
    disk: async (): Promise<DiskState | null> => (deps.server ? diskState(deps.database, deps.server.dataDir) : null),
    /** Returns the whole status to callers who act for all of the first tenant, and the status of their own account to others. */
    async statusFor(actor: Actor): Promise<SystemStatus> {
      const request: StatusRequest = {
        actor: actor,
        environment: deps.environmentOf(actor.tenantId),
        nowMs: deps.clockOf(actor.tenantId).now(),
      };
      const seesAll = actor.merchantId === null && (await deps.firstTenant())?.tenantId === actor.tenantId;
      const jobs = await deps.scheduler.statuses(actor.tenantId);
      const found = await Promise.all([
        gatewaysItem(deps, request),
        paymentsAndRefunds(deps, request),
        requestsItem(deps, request),
        webhooksItem(deps, request),
        messagesItem(deps, request),
        schedulerItem(jobs),
        seesAll ? installation(request) : [],
      ]);
      const items = found.flat().sort((left, right) => STATUS_NAMES.indexOf(left.name) - STATUS_NAMES.indexOf(right.name));
      return { state: worst(items.map(({ state }) => state)), checkedAt: isoTime(Date.now()), items, jobs };
    },
  };
}
