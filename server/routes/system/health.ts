import { Type } from 'typebox';
import type { Core } from '#core';
import { type Database, isOutdated } from '#core/database';
import { group, literals, text } from '#core/platform/fields';
import { Bare, type Route, route, VERSION } from '#server/http';

const startedAt = performance.now();

interface DatabaseState {
  readonly status: 'ok' | 'unavailable' | 'outdated' | 'damaged';
  readonly problems: readonly string[];
}

async function databaseState(database: Database): Promise<DatabaseState> {
  const fault = await database.ping().then(
    () => null,
    (error: unknown) => error,
  );
  // A ping may be what discovers the damage.
  const { damage } = database.health();
  if (damage) return { status: 'damaged', problems: [damage.message] };
  if (fault === null) return { status: 'ok', problems: [] };
  const problem = fault instanceof Error ? fault.message : 'The database does not respond.';
  return { status: isOutdated(fault) ? 'outdated' : 'unavailable', problems: [problem] };
}

/** The processes of a server that runs several, seen from one of them. */
export interface ProcessesHealth {
  readonly expected: number;
  readonly running: number;
  /** One sentence for each fault of the other processes. */
  readonly problems: readonly string[];
}

/** Returns the reasons why the database of a process cannot be used; none if it can. */
export const databaseProblems = async (database: Database): Promise<readonly string[]> => (await databaseState(database)).problems;

/** Returns the health of the processes from what the others have responded: the problems of their databases, or undefined for none. */
export function processesHealth(
  { expected, running }: { readonly expected: number; readonly running: readonly number[] },
  responses: readonly { readonly index: number; readonly data: readonly string[] | undefined }[],
): ProcessesHealth {
  const missing = expected - running.length;
  const ended = `${missing} of ${expected} processes ${missing === 1 ? 'is' : 'are'} not running. The server starts ${missing === 1 ? 'it' : 'them'} again, and its log contains the reason.`;
  return {
    expected,
    running: running.length,
    problems: [
      ...(missing > 0 ? [ended] : []),
      ...responses.flatMap(({ index, data }) => data ?? [`Process ${index} of the server does not respond.`]),
    ],
  };
}

const ONE_PROCESS: ProcessesHealth = { expected: 1, running: 1, problems: [] };

/** Reports whether the server can work; unauthenticated and not limited. */
export function healthRoute(core: () => Core, processes = async () => ONE_PROCESS): Route {
  return route({
    surface: 'open',
    method: 'GET',
    path: '/health',
    atRoot: true,
    id: 'health',
    tag: 'Setup',
    beforeSetUp: true,
    summary: 'Health of the server',
    description:
      'Needs no credential and is never limited. Use it for monitoring. While a large SQLite file is checked after a stop that was not clean, the server answers 503 with the same fields: `status` is `starting` and `database.status` is `checking`.',
    rate: 'unlimited',
    response: Bare(
      Type.Object({
        status: literals(['ok', 'degraded'], 'Status'),
        version: text('Version', '0.1.0'),
        database: group('Database of the server', {
          kind: text('Kind', 'sqlite'),
          status: literals(
            ['ok', 'unavailable', 'outdated', 'damaged'],
            '`outdated`: a newer version of Paydesk changed the database while this server was cut off from it. `damaged`: a SQLite file is damaged; every change is refused until a backup is restored.',
          ),
        }),
        disk: group('Free space of the data directory', {
          status: literals(
            ['ok', 'low', 'full', 'unreadable', 'read-only'],
            'The disk with the data directory. `low`: less than 500 MB are free. `full`: the last change failed because the disk of the database is full. `read-only`: no file can be created in the data directory.',
          ),
        }),
        processes: Type.Object(
          {
            expected: Type.Integer({ description: 'number of processes that should run: one until the installation is set up' }),
            running: Type.Integer({ description: 'number of processes that accept requests' }),
          },
          { description: 'The processes of the server behind its address. One that ended is started again.' },
        ),
        problems: Type.Array(Type.String(), {
          description: 'One sentence for each part that prevents the server from working, or soon will.',
        }),
        uptime: Type.Integer({ description: 'time since the start of the server, in seconds' }),
      }),
    ),
    run: async () => {
      const { database, status } = core();
      const disk = await status.disk();
      const [found, others] = await Promise.all([databaseState(database), processes()]);
      const problems = [
        ...new Set([...found.problems, ...others.problems, ...(disk === null || disk.status === 'ok' ? [] : [disk.message])]),
      ];
      return {
        status: problems.length === 0 ? ('ok' as const) : ('degraded' as const),
        version: VERSION,
        database: { kind: database.kind, status: found.status },
        disk: { status: disk?.status ?? ('ok' as const) },
        processes: { expected: others.expected, running: others.running },
        problems,
        uptime: Math.floor((performance.now() - startedAt) / 1_000),
      };
    },
  });
}
