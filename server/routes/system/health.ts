import { Type } from 'typebox';
import type { Core } from '#core';
import { type Database, isOutdated } from '#core/database';
import { type Route, route, VERSION } from '#server/http';

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

/** Reports whether the server can work; unauthenticated and not limited. */
export function healthRoute(core: () => Core): Route {
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
    response: Type.Object({
      status: Type.Union([Type.Literal('ok'), Type.Literal('degraded')]),
      version: Type.String(),
      database: Type.Object({
        kind: Type.String(),
        status: Type.Union([Type.Literal('ok'), Type.Literal('unavailable'), Type.Literal('outdated'), Type.Literal('damaged')], {
          description:
            '`outdated`: a newer version of Paydesk changed the database while this server was cut off from it. `damaged`: a SQLite file is damaged; every change is refused until a backup is restored.',
        }),
      }),
      disk: Type.Object({
        status: Type.Union(
          [Type.Literal('ok'), Type.Literal('low'), Type.Literal('full'), Type.Literal('unreadable'), Type.Literal('read-only')],
          {
            description:
              'The disk with the data directory. `low`: less than 500 MB are free. `full`: the last change failed because the disk of the database is full. `read-only`: no file can be created in the data directory.',
          },
        ),
      }),
      problems: Type.Array(Type.String(), {
        description: 'One sentence for each part that prevents the server from working, or soon will.',
      }),
      uptime: Type.Integer({ description: 'time since the start of the server, in seconds' }),
    }),
    run: async () => {
      const { database, status } = core();
      const disk = await status.disk();
      const found = await databaseState(database);
      const problems = [...found.problems, ...(disk === null || disk.status === 'ok' ? [] : [disk.message])];
      return {
        status: problems.length === 0 ? ('ok' as const) : ('degraded' as const),
        version: VERSION,
        database: { kind: database.kind, status: found.status },
        disk: { status: disk?.status ?? ('ok' as const) },
        problems,
        uptime: Math.floor((performance.now() - startedAt) / 1_000),
      };
    },
    show: (health) => health,
  });
}
