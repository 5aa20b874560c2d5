import { setTimeout as pause } from 'node:timers/promises';
import type { Database, Replication } from '#core/database';
import { ServiceError } from '#core/kernel';
import type { IdempotencyKeys } from '#core/platform/idempotency';
import type { SandboxGateway } from '#core/processing/gateways';
import type { Payments } from '#core/sales/payments';
import { type Comparison, longestGapMs } from './certificate.ts';
import { compareWithRecords } from './comparison.ts';
import type { Patroni } from './patroni.ts';
import type { Phase } from './records.ts';
import { type SalesStream, startSales } from './sales-stream.ts';

/** Number of acknowledged sales before the failover is requested, and after it. */
const SALES_BEFORE = 20;
const SALES_AFTER = 20;
const WATCH_EVERY_MS = 250;
/** Time for a step, and for a failover that a person carries out. */
const STEP_WITHIN_MS = 3 * 60_000;
const PERSON_WITHIN_MS = 10 * 60_000;
/** Time for the last sales to be answered. */
const ANSWERED_WITHIN_MS = 30_000;

/** Dependencies of a run. */
export interface RunDependencies {
  readonly database: Database;
  readonly patroni: Patroni | null;
  readonly payments: Pick<Payments, 'createPayment'>;
  readonly idempotencyKeys: Pick<IdempotencyKeys, 'find'>;
  readonly sandboxGateway: Pick<SandboxGateway, 'settlementReport'>;
  readonly report: (message: string, context: Record<string, unknown>) => void;
}

/** Result of a run. */
export interface RunResult {
  /** Reason why it failed; null if another server is the primary, sales continued, and nothing is lost or doubled. */
  readonly reason: string | null;
  readonly usualGapMs: number | null;
  readonly gapMs: number | null;
  /** The new primary; null if no other server became the primary. */
  readonly to: Replication | null;
  /** Null if the sales could not be compared. */
  readonly comparison: Comparison | null;
}

/** A rehearsal in progress: sandbox sales, a failover, further sales, and the comparison. */
export class RehearsalRun {
  readonly rehearsalId: string;
  readonly startedMs: number;
  readonly from: Replication;
  readonly #deps: RunDependencies;
  readonly #stopping = new AbortController();
  #sales: SalesStream | null = null;
  phase: Phase = 'selling-before';

  constructor(deps: RunDependencies, rehearsalId: string, startedMs: number, from: Replication) {
    this.#deps = deps;
    this.rehearsalId = rehearsalId;
    this.startedMs = startedMs;
    this.from = from;
  }

  get acknowledged(): number {
    return this.#sales?.acknowledged.length ?? 0;
  }

  /** Time since the last acknowledged sale, in milliseconds; 0 before the first one. */
  get sinceLastMs(): number {
    const last = this.#sales?.acknowledged.at(-1);
    return last === undefined ? 0 : Math.round(performance.now() - last.atMs);
  }

  get isStopped(): boolean {
    return this.#stopping.signal.aborted;
  }

  /** Ends the run early, with a comparison of the sales so far. */
  stop(): void {
    this.#stopping.abort();
  }

  /** Ends the run and its sales without waiting for responses. */
  abandon(): void {
    this.stop();
    this.#sales?.abandon();
  }

  /** Runs the rehearsal in a sandbox tenant. It never rejects. */
  async conduct(tenantOf: () => Promise<string>): Promise<RunResult> {
    const figures = { usualGapMs: null as number | null, gapMs: null as number | null, to: null as Replication | null };
    let reason: string | null = null;
    let comparison: Comparison | null = null;
    try {
      const tenantId = await tenantOf();
      this.#sales = startSales(this.#deps, tenantId, this.rehearsalId);
      reason = await this.#failOver(this.#sales, figures).catch((error: unknown) => this.#reasonOf(error));
      comparison = await this.#compare(this.#sales, tenantId);
    } catch (error) {
      reason ??= this.#reasonOf(error);
    }
    if (comparison && comparison.lost + comparison.doubled > 0)
      reason = `Lost sales: ${comparison.lost}. Doubled sales: ${comparison.doubled}.`;
    return { reason, ...figures, comparison };
  }

  /** Sells, has the primary replaced, and sells again. Returns the reason of a failure, or null. */
  async #failOver(
    sales: SalesStream,
    figures: { usualGapMs: number | null; gapMs: number | null; to: Replication | null },
  ): Promise<string | null> {
    const beganAtMs = performance.now();
    if (!(await this.#reached(STEP_WITHIN_MS, () => sales.acknowledged.length >= SALES_BEFORE)))
      return 'The sandbox sales before the failover were not approved.';
    const switchedAtMs = performance.now();
    figures.usualGapMs = longestGapMs(sales.acknowledged, beganAtMs, switchedAtMs);
    this.phase = 'switching';
    figures.to = await this.#newPrimary();
    this.phase = 'selling-after';
    const before = sales.acknowledged.length;
    const continues = figures.to !== null && (await this.#reached(STEP_WITHIN_MS, () => sales.acknowledged.length >= before + SALES_AFTER));
    figures.gapMs = longestGapMs(sales.acknowledged, switchedAtMs, performance.now());
    if (figures.to === null) return 'No other server became the primary in time.';
    return continues ? null : 'Sales did not continue after the failover.';
  }

  /** Asks Patroni for a switchover, or waits for a person. Returns the new primary; null after the time limit. */
  async #newPrimary(): Promise<Replication | null> {
    const { patroni, database } = this.#deps;
    let refused: unknown;
    if (patroni)
      void patroni
        .leader()
        .then((leader) => patroni.switchOver(leader))
        .catch((error: unknown) => {
          refused = error;
        });
    let found: Replication | null = null;
    await this.#reached(patroni ? STEP_WITHIN_MS : PERSON_WITHIN_MS, async () => {
      // While no primary is available, reads fail.
      const now = await database.replication().catch(() => null);
      if (now !== null && this.#isOther(now)) found = now;
      else if (refused !== undefined) throw refused;
      return found !== null;
    });
    return found;
  }

  #isOther(now: Replication): boolean {
    const { from } = this;
    return from.timeline !== null && now.timeline !== null ? now.timeline > from.timeline : now.primary !== from.primary;
  }

  async #compare(sales: SalesStream, tenantId: string): Promise<Comparison> {
    this.phase = 'checking';
    const areAnswered = await Promise.race([sales.finish().then(() => true), pause(ANSWERED_WITHIN_MS, false, { ref: false })]);
    if (!areAnswered) sales.abandon();
    const { rehearsalId, startedMs } = this;
    return compareWithRecords(this.#deps, { tenantId, rehearsalId, startedMs, acknowledged: sales.acknowledged }, this.#stopping.signal);
  }

  /** Waits for a condition; returns false after the time limit. @throws AbortError if the rehearsal is stopped. */
  async #reached(withinMs: number, condition: () => boolean | Promise<boolean>): Promise<boolean> {
    for (const until = performance.now() + withinMs; performance.now() < until; ) {
      if (await condition()) return true;
      await pause(WATCH_EVERY_MS, undefined, { signal: this.#stopping.signal });
    }
    return false;
  }

  #reasonOf(error: unknown): string {
    if (this.isStopped) return 'The rehearsal was stopped.';
    if (error instanceof ServiceError) return error.message;
    this.#deps.report('The failover rehearsal failed', { error });
    return 'An error occurred. The log has the details.';
  }
}
