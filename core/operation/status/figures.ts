import type { WaitingOfTenant } from '#core/database';
import type { JobBacklog } from '#core/platform/scheduling';
import type { AuditStreamState, Dependencies } from './dependencies.ts';

/** Records of all tenants that wait. */
export interface Waiting {
  readonly count: number;
  /** Age of the oldest, in the time of its tenant; 0 if none waits. */
  readonly oldestMs: number;
}

/** Figures about the whole installation. */
export interface Figures {
  readonly jobs: readonly JobBacklog[];
  readonly unconfirmedPayments: Waiting;
  readonly openDeliveries: Waiting;
  readonly backups: { readonly madeAt: string | null; readonly provenAt: string | null };
  /** Entries of the audit log that each place has not received. */
  readonly unsentAuditEntries: readonly { readonly kind: AuditStreamState['kind']; readonly count: number }[];
  readonly isDatabaseDamaged: boolean;
  readonly isDiskFull: boolean;
}

/** Reads the figures from indexes. */
export async function readFigures(deps: Dependencies): Promise<Figures> {
  const sumOf = (rows: readonly WaitingOfTenant[]): Waiting => ({
    count: rows.reduce((sum, { n }) => sum + Number(n), 0),
    oldestMs: rows.reduce((most, row) => Math.max(most, deps.clockOf(row.tenant_id).now() - Date.parse(row.oldest)), 0),
  });
  const streams = (await deps.server?.auditStreams?.()) ?? [];
  const [jobs, unconfirmed, deliveries, backups, unsentAuditEntries] = await Promise.all([
    deps.scheduler.backlogs(),
    deps.payments.unconfirmedByTenant(),
    deps.webhooks.openDeliveries(),
    deps.backups.lastTimes(),
    Promise.all(streams.map(async ({ kind, place }) => ({ kind, count: await deps.audit.streaming.waiting(place) }))),
  ]);
  const { damage, isDiskFull } = deps.database.health();
  return {
    jobs,
    unconfirmedPayments: sumOf(unconfirmed),
    openDeliveries: sumOf(deliveries),
    backups,
    unsentAuditEntries,
    isDatabaseDamaged: damage !== null,
    isDiskFull,
  };
}
