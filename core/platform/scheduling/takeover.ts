import type { Database, TableShape } from '#core/database';

/**
 * Factor of the server number in a fence. The rest of a fence counts the claims of the row, so that no fence is ever repeated. Statements that
 * add 1 to a fence end a claim and keep the number.
 */
const HOLDER_FACTOR = 2 ** 40;
/** Time for which a server must be absent before its claims are released. It is longer than a server needs to restore its connection. */
const ABSENT_MS = 2_500;
/** Minimum number of consecutive observations in that time, so that a pause of the observing process does not count. */
const ABSENT_TIMES = 4;
/** Number of observations between two searches for claims of servers that were never observed. */
const SEARCH_EVERY = 20;

/** SQL for the fence of a new claim by the server `:holder`. */
export const CLAIM_FENCE = `fence % ${HOLDER_FACTOR} + 1 + CAST(:holder AS BIGINT)`;

/** Returns the value of `:holder` for a claim by this server. */
export const holderOf = ({ presence }: Pick<Database, 'presence'>): number => presence.number * HOLDER_FACTOR;

interface Takeover {
  /** Registers this server and releases the claims of servers that have ended. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Releases the claims of servers that have ended, without waiting for the end of their leases. The lock of a server ends with its process.
 * A server that is only slow keeps its lock and its claims. A server without a connection has time to restore it; if it is late, the fence
 * of its claims has changed and its commits are refused.
 */
export function createTakeover(
  database: Database,
  tables: () => readonly TableShape[],
  onReleased: () => void,
  report: (message: string, context: Record<string, unknown>) => void,
): Takeover {
  const { presence, nowSql } = database;
  const absent = new Map<number, { readonly sinceMs: number; times: number }>();
  let before: ReadonlySet<number> = new Set();
  let observations = 0;

  const claimed = (name: string) => `${name} WHERE due_ms IS NOT NULL AND lease_ms > ${nowSql}`;

  async function holders(): Promise<number[]> {
    const parts = tables().map(({ name }) => `SELECT DISTINCT fence / ${HOLDER_FACTOR} AS number FROM ${claimed(name)}`);
    const rows = await database.readAcrossTenants().all<{ number: number }>(parts.join(' UNION '));
    return rows.map(({ number }) => Number(number)).filter((number) => number > 0 && number !== presence.number);
  }

  async function release(number: number): Promise<void> {
    let claims = 0;
    for (const { name } of tables())
      claims += await database.unitOfWork.transaction(null, async (work) =>
        // The lock keeps a server that restores its connection from counting as present while its claims are being released.
        (await presence.isGone(work, number))
          ? work.run(
              `UPDATE ${claimed(name).replace(' WHERE', ' SET lease_ms = 0 WHERE')} AND fence / ${HOLDER_FACTOR} = CAST(:number AS BIGINT)`,
              { number },
            )
          : 0,
      );
    if (claims === 0) return;
    report('Released the claims of a server that has ended', { claims });
    onReleased();
  }

  async function observe(running: ReadonlySet<number>, isFirst: boolean): Promise<void> {
    // After a lost connection or a failover, the other servers may still be restoring theirs.
    if (isFirst) absent.clear();
    const hasLeft = [...before].some((number) => !running.has(number));
    before = running;
    observations += 1;
    if (isFirst || hasLeft || observations % SEARCH_EVERY === 0) {
      for (const number of await holders()) if (!absent.has(number)) absent.set(number, { sinceMs: performance.now(), times: 0 });
    }
    for (const [number, absence] of absent) {
      if (running.has(number)) {
        absent.delete(number);
        continue;
      }
      absence.times += 1;
      if (absence.times <= ABSENT_TIMES || performance.now() - absence.sinceMs < ABSENT_MS) continue;
      absent.delete(number);
      await release(number).catch((cause: unknown) => report('The claims of a server that has ended could not be released', { cause }));
    }
  }

  return {
    start: () => presence.start({ hasClaims: async (number) => (await holders()).includes(number), observe }),
    stop: () => presence.stop(),
  };
}
