import { type Lookup, lookupAll } from './target.ts';

/** Duration from which a look-up counts as slow, in milliseconds. */
const SLOW_MS = 2_000;
/** Time for which a name is not asked again after a slow failure. It doubles with each one in succession. */
const PAUSE_MS = 60_000;
const PAUSE_MAX_MS = 3_600_000;
/** Time after which a caller gets an error. The connection of a request waits for the name, whatever time limit the request has. */
const WAIT_MAX_MS = 5_000;
/** Maximum number of slow names in memory. */
const NAMES_MAX = 10_000;

interface Waiting {
  readonly host: string;
  readonly run: () => Promise<void>;
}

interface SlowName {
  readonly pauseMs: number;
  readonly untilMs: number;
}

class NameUnavailable extends Error {
  /** Code of the system for a name whose servers do not answer. */
  readonly code = 'EAI_AGAIN';
}

/**
 * Creates the look-up of host names that tenants choose. The system resolves two names at a time for the whole process, and a name whose servers do not
 * answer takes ten seconds or more. So that such names delay no payment, these look-ups use one of the two: parallel ones of a name are one, a slow name
 * is asked after all others, and after a slow failure not before a pause.
 */
export function createTenantLookup(resolve: Lookup = lookupAll, now = () => performance.now(), waitMaxMs = WAIT_MAX_MS): Lookup {
  const pending = new Map<string, ReturnType<Lookup>>();
  const slow = new Map<string, SlowName>();
  const waiting: Waiting[] = [];
  let isRunning = false;

  function note(host: string, tookMs: number, hasFailed: boolean): void {
    const pausedMs = slow.get(host)?.pauseMs ?? 0;
    slow.delete(host);
    if (tookMs < SLOW_MS) return;
    const pauseMs = hasFailed ? Math.min(Math.max(PAUSE_MS, pausedMs * 2), PAUSE_MAX_MS) : 0;
    slow.set(host, { pauseMs, untilMs: now() + pauseMs });
    const [oldest] = slow.keys();
    if (slow.size > NAMES_MAX && oldest !== undefined) slow.delete(oldest);
  }

  async function runNext(): Promise<void> {
    if (isRunning) return;
    const index = waiting.findIndex(({ host }) => !slow.has(host));
    const [next] = waiting.splice(Math.max(0, index), 1);
    if (next === undefined) return;
    isRunning = true;
    await next.run();
    isRunning = false;
    void runNext();
  }

  return (host) => {
    const present = pending.get(host);
    if (present) return present;
    const unavailable = () => new NameUnavailable('The host name cannot be resolved.');
    if ((slow.get(host)?.untilMs ?? 0) > now()) return Promise.reject(unavailable());
    const { promise, resolve: succeed, reject: fail } = Promise.withResolvers<Awaited<ReturnType<Lookup>>>();
    const timer = setTimeout(() => {
      fail(unavailable());
      const index = waiting.findIndex((each) => each.host === host);
      // No caller waits for it any more.
      if (index === -1) return;
      waiting.splice(index, 1);
      pending.delete(host);
    }, waitMaxMs);
    const run = async () => {
      const startedMs = now();
      const answer = resolve(host);
      const hasFailed = await answer.then(
        () => false,
        () => true,
      );
      note(host, now() - startedMs, hasFailed);
      clearTimeout(timer);
      pending.delete(host);
      answer.then(succeed, fail);
    };
    pending.set(host, promise);
    waiting.push({ host, run });
    void runNext();
    return promise;
  };
}

/** Look-up of host names that tenants choose, for this process. */
export const lookupForTenant = createTenantLookup();
