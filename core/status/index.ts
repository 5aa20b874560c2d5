import { type Actor, isoTime } from '#core/kernel';
import type { JobStanding } from '#core/platform/scheduling';
import { messagesItem, paymentsAndRefunds, schedulerItem, webhooksItem } from './account.ts';
import { Certificates } from './certificate.ts';
import { ClockWatch } from './clock-watch.ts';
import { type DiskState, diskItem, diskState } from './disk.ts';
import { gatewayStandings, gatewaysItem } from './gateways.ts';
import { addressItem, backupItem, databaseAndClock, keysItem, serverItem } from './installation.ts';
import { STATUS_NAMES, type StatusItem, type StatusState, worst } from './item.ts';
import type { Asked, Needs } from './needs.ts';

export { type Certificate, Certificates } from './certificate.ts';
export { ClockWatch } from './clock-watch.ts';

export { STATUS_ACTIONS, STATUS_NAMES } from './item.ts';
export type { StatusStation } from './needs.ts';

/** How an installation stands, as far as the caller sees of it. */
export interface SystemStatus {
  /** The worst of the items. */
  readonly state: StatusState;
  readonly checkedAt: string;
  readonly items: readonly StatusItem[];
  readonly jobs: readonly JobStanding[];
}

/** How everything stands at a moment, from indexes, counters and what is in memory (experience 2.18, reliability 11). */
export function createStatus(on: Needs) {
  const clock = new ClockWatch();
  const certificates = new Certificates();

  async function installation(asked: Asked): Promise<StatusItem[]> {
    const { station } = on;
    const found = await Promise.all([
      databaseAndClock(on, clock),
      backupItem(on, asked),
      keysItem(on),
      addressItem(on, certificates, asked),
      ...(station ? [serverItem(station, asked.environment), diskItem(on.database, station)] : []),
    ]);
    return found.flat();
  }

  return {
    start: () => clock.start(),
    stop: () => clock.stop(),
    gateways: (by: Actor) => gatewayStandings(on, by),
    /** Returns the state of the disk with the data directory; null where the core has no data directory. */
    disk: async (): Promise<DiskState | null> => (on.station ? diskState(on.database, on.station.dataDir) : null),
    /** The whole for those who act for all of the business that the installation began with; others see what is of their own account. */
    async of(by: Actor): Promise<SystemStatus> {
      const asked: Asked = { by, environment: on.environmentOf(by.tenantId), nowMs: on.clockOf(by.tenantId).now() };
      const seesAll = by.merchantId === null && (await on.firstTenant())?.tenantId === by.tenantId;
      const jobs = await on.scheduler.standing(by.tenantId);
      const found = await Promise.all([
        gatewaysItem(on, asked),
        paymentsAndRefunds(on, asked),
        webhooksItem(on, asked),
        messagesItem(on, asked),
        schedulerItem(jobs),
        seesAll ? installation(asked) : [],
      ]);
      const items = found.flat().sort((left, right) => STATUS_NAMES.indexOf(left.name) - STATUS_NAMES.indexOf(right.name));
      return { state: worst(items.map(({ state }) => state)), checkedAt: isoTime(Date.now()), items, jobs };
    },
  };
}
