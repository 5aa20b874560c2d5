import type { Read } from '#core/database';
import { ServiceError } from '#core/kernel';
import { conclude } from './conclude.ts';
import type { Needs } from './needs.ts';
import { ATTEMPTS, type AttemptRow } from './schema.ts';

/** Waits between inquiries about one attempt; after the last, every hour. Doubt is never ended by age alone. */
const INQUIRY_DELAYS_MS = [2_000, 5_000, 15_000, 60_000, 300_000, 900_000] as const;
const INQUIRY_DELAY_LAST_MS = 3_600_000;
const AT_ONCE_MAX = 8;
const LOOK_AGAIN_MAX_MS = 60_000;

export interface Recovery {
  /** Takes over what an earlier run left open, then keeps asking about whatever falls in doubt. */
  start(): Promise<void>;
  /** Something may be due: look now. */
  wake(): void;
  stop(): Promise<void>;
}

/**
 * Removes doubt by inquiry (decisions 4, design rule 3): an attempt without a recorded result is asked about at the gateway by our own
 * reference and ended in the same place as the straight path. It never sends a payment.
 */
export function createRecovery(on: Needs): Recovery {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | null = null;
  let again = false;
  let stopped = true;

  async function due(read: Read): Promise<AttemptRow[]> {
    return read.all<AttemptRow>(
      `SELECT ${ATTEMPTS.columns.join(', ')} FROM attempts WHERE due_ms IS NOT NULL AND due_ms <= :now ORDER BY due_ms LIMIT ${AT_ONCE_MAX}`,
      { now: Date.now() },
    );
  }

  /** Takes the attempt for this inquiry; another server that saw the same row changes nothing. */
  async function claim(attempt: AttemptRow): Promise<boolean> {
    const delay = INQUIRY_DELAYS_MS[attempt.inquiries] ?? INQUIRY_DELAY_LAST_MS;
    const changed = await on.database.unitOfWork.run(attempt.tenant_id, (work) =>
      work.update(
        ATTEMPTS,
        { id: attempt.id, due_ms: attempt.due_ms, inquiries: attempt.inquiries },
        { state: 'doubt', due_ms: Date.now() + delay, inquiries: attempt.inquiries + 1 },
      ),
    );
    return changed === 1;
  }

  async function inquire(attempt: AttemptRow): Promise<void> {
    if (!(await claim(attempt))) return;
    const connector = on.gateways.of(attempt.tenant_id);
    const found = await connector.inquire({ tenantId: attempt.tenant_id, processorRef: attempt.processor_ref });
    if (found.kind === 'unknown' || found.kind === 'pending') return;
    if (found.kind === 'not-found') {
      if (!connector.capabilities.notFoundIsFinal) return;
      await conclude(on, attempt, { kind: 'not-sent', reason: 'The gateway never received it.', retry: 'error' });
      return;
    }
    await conclude(on, attempt, found);
  }

  async function settle(attempt: AttemptRow): Promise<void> {
    try {
      await inquire(attempt);
    } catch (error) {
      // An attempt that ends as failed throws the error of its request, which nobody waits for here.
      if (error instanceof ServiceError && error.code === 'GATEWAY_ERROR') return;
      on.report('An inquiry failed; it is repeated later', { attemptId: attempt.id, cause: error });
    }
  }

  async function look(): Promise<void> {
    do {
      again = false;
      const attempts = await due(on.database.readAcrossTenants());
      await Promise.all(attempts.map(settle));
      if (attempts.length === AT_ONCE_MAX) again = true;
    } while (again && !stopped);
    const [next] = await on.database
      .readAcrossTenants()
      .all<{ due_ms: number | null }>('SELECT min(due_ms) AS due_ms FROM attempts WHERE due_ms IS NOT NULL');
    if (stopped) return;
    const wait = next?.due_ms == null ? LOOK_AGAIN_MAX_MS : Math.min(LOOK_AGAIN_MAX_MS, Math.max(0, next.due_ms - Date.now()));
    timer = setTimeout(wake, wait);
    timer.unref();
  }

  function wake(): void {
    if (stopped) return;
    if (running) {
      again = true;
      return;
    }
    clearTimeout(timer);
    running = look()
      .catch((error: unknown) => {
        on.report('Recovery could not look for open attempts', { cause: error });
        if (!stopped) timer = setTimeout(wake, LOOK_AGAIN_MAX_MS).unref();
      })
      .finally(() => {
        running = null;
        if (again) {
          again = false;
          wake();
        }
      });
  }

  return {
    async start() {
      stopped = false;
      if (on.database.kind === 'sqlite') {
        // This process holds the data directory alone: whatever is open belongs to nobody.
        await on.database.unitOfWork.run(null, (work) =>
          work.run('UPDATE attempts SET due_ms = :now WHERE due_ms IS NOT NULL', { now: Date.now() }),
        );
      }
      wake();
    },
    wake,
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
