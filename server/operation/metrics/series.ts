import type { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Figures, Waiting } from '#core/operation/status';
import { VERSION } from '#server/http';
import type { GroupState } from '#server/operation/processes';

const REQUEST_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const WRITE_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** The metrics of one process, which another process can merge with its own. */
export type MetricObject = Awaited<ReturnType<Registry['getMetricsAsJSON']>>[number];

/** The series of Paydesk. Each label has a fixed set of values: none contains an ID, a name or an address. */
export interface Series {
  readonly contentType: string;
  readonly requests: Counter<'surface' | 'area' | 'status'>;
  readonly requestSeconds: Histogram<'surface'>;
  readonly payments: Counter<'gateway' | 'operation' | 'outcome'>;
  readonly writeSeconds: Histogram<'kind'>;
  /** Sets the gauges to the figures; with null, the database does not answer, and only `paydesk_database_up` has a value of them. */
  setFigures(figures: Figures | null, processes: Pick<GroupState, 'expected' | 'running' | 'restarts'>): void;
  /** Returns the metrics of this process. `waiting` returns the number of writes and reads that wait. */
  ofProcess(waiting: () => number): Promise<MetricObject[]>;
  /** Returns the figures and the metrics of all processes as text. */
  text(processes: readonly MetricObject[][]): Promise<string>;
  clear(): void;
}

/**
 * Creates the series. If the server has several processes, `processNumber` is the label `process` of those that each process counts, because the
 * sum of counters would fall when one is replaced. The library is loaded here, because most installations have no metrics.
 */
export async function createSeries(processNumber?: number): Promise<Series> {
  const { AggregatorRegistry, Counter, collectDefaultMetrics, Gauge, Histogram, Registry } = await import('prom-client');
  const ofProcess = new Registry();
  if (processNumber !== undefined) ofProcess.setDefaultLabels({ process: String(processNumber) });
  collectDefaultMetrics({ register: ofProcess });
  const shared = new Registry();
  const registers = [shared];
  const clearings: (() => void)[] = [];
  const gauge = <Label extends string = never>(name: string, help: string, labelNames: Label[] = []): Gauge<Label> => {
    const created = new Gauge<Label>({ name, help, labelNames, registers });
    clearings.push(() => {
      created.reset();
      // After a reset, a gauge without labels would have the value 0, which reads as "nothing waits".
      if (labelNames.length === 0) created.remove();
    });
    return created;
  };
  const databaseUp = gauge('paydesk_database_up', '1 if the database answers and is not damaged.');
  const diskFull = gauge('paydesk_disk_full', '1 if the last change failed because the disk of the database is full.');
  const databaseWaiting = new Gauge({
    name: 'paydesk_database_waiting',
    help: 'Writes and reads that wait for the writer or for a connection.',
    registers: [ofProcess],
  });
  const processesExpected = gauge('paydesk_processes_expected', 'Processes that the server should have.');
  const processesRunning = gauge('paydesk_processes_running', 'Processes that accept requests.');
  const restarts = gauge(
    'paydesk_processes_restarted',
    'Processes that ended unexpectedly and were replaced since the start of the server.',
  );
  const jobRows = gauge('paydesk_job_rows', 'Rows of a job that are scheduled, due or running, up to 10,000.', ['job']);
  const jobLateness = gauge('paydesk_job_lateness_seconds', 'Time for which the first due row of a job has waited to be claimed.', ['job']);
  const unconfirmed = waitingGauges('paydesk_unconfirmed_payments', 'Payments whose outcome is unconfirmed');
  const deliveries = waitingGauges('paydesk_webhook_deliveries_open', 'Open webhook deliveries to active endpoints');
  const auditUnsent = gauge('paydesk_audit_entries_unsent', 'Entries of the audit log that a file or collector has not received.', [
    'place',
  ]);
  const backupMade = gauge('paydesk_backup_last_made_timestamp_seconds', 'Time of the last backup; absent if there is none.');
  const backupProven = gauge(
    'paydesk_backup_last_proven_timestamp_seconds',
    'Time of the last backup that a restore rehearsal found good; absent if there is none.',
  );

  function waitingGauges(name: string, help: string): (waiting: Waiting) => void {
    const count = gauge(name, `${help}.`);
    const oldest = gauge(`${name}_oldest_seconds`, `${help}: age of the oldest; 0 if there is none.`);
    return ({ count: n, oldestMs }) => {
      count.set(n);
      oldest.set(oldestMs / 1_000);
    };
  }

  new Gauge({ name: 'paydesk_info', help: 'Version of Paydesk.', labelNames: ['version'], registers }).set({ version: VERSION }, 1);
  return {
    contentType: shared.contentType,
    requests: new Counter({
      name: 'paydesk_http_requests_total',
      help: 'Requests by API surface, area of the documentation and HTTP status.',
      labelNames: ['surface', 'area', 'status'],
      registers: [ofProcess],
    }),
    requestSeconds: new Histogram({
      name: 'paydesk_http_request_duration_seconds',
      help: 'Duration of requests, without event streams.',
      labelNames: ['surface'],
      buckets: REQUEST_BUCKETS,
      registers: [ofProcess],
    }),
    payments: new Counter({
      name: 'paydesk_payments_total',
      help: 'Requests to gateways that move money, by processor, operation and outcome.',
      labelNames: ['gateway', 'operation', 'outcome'],
      registers: [ofProcess],
    }),
    writeSeconds: new Histogram({
      name: 'paydesk_database_write_duration_seconds',
      help: 'Duration of writes, with the time that they wait for the writer, a connection, locks and the commit.',
      labelNames: ['kind'],
      buckets: WRITE_BUCKETS,
      registers: [ofProcess],
    }),
    async ofProcess(waiting) {
      databaseWaiting.remove();
      try {
        databaseWaiting.set(waiting());
      } catch {
        // There is no database during a restore.
      }
      return ofProcess.getMetricsAsJSON();
    },
    async text(processes) {
      const merged = AggregatorRegistry.aggregate([...processes]);
      return `${await shared.metrics()}\n${await merged.metrics()}`;
    },
    clear() {
      ofProcess.clear();
      shared.clear();
    },
    setFigures(figures, { expected, running, restarts: restarted }) {
      for (const clear of clearings) clear();
      processesExpected.set(expected);
      processesRunning.set(running.length);
      restarts.set(restarted);
      databaseUp.set(figures === null || figures.isDatabaseDamaged ? 0 : 1);
      if (figures === null) return;
      diskFull.set(figures.isDiskFull ? 1 : 0);
      for (const { job, rows, lateMs } of figures.jobs) {
        jobRows.set({ job }, rows);
        jobLateness.set({ job }, lateMs / 1_000);
      }
      unconfirmed(figures.unconfirmedPayments);
      deliveries(figures.openDeliveries);
      for (const { kind, count } of figures.unsentAuditEntries) auditUnsent.set({ place: kind }, count);
      setTime(backupMade, figures.backups.madeAt);
      setTime(backupProven, figures.backups.provenAt);
    },
  };
}

function setTime(gauge: Gauge, at: string | null): void {
  if (at !== null) gauge.set(Date.parse(at) / 1_000);
}
