import { Type } from 'typebox';
import type { Core } from '#core';
import { isOutdated } from '#core/database';
import { type Route, route } from './route.ts';
import { VERSION } from './version.ts';

const startedAt = performance.now();

/** Whether the server can do its work; unauthenticated and not limited (decisions 1). */
export function healthRoute(core: () => Core): Route {
  return route({
    surface: 'open',
    method: 'GET',
    path: '/health',
    atRoot: true,
    id: 'health',
    tag: 'Set-up',
    summary: 'Health of the server',
    rate: 'unlimited',
    answer: Type.Object({
      status: Type.Union([Type.Literal('ok'), Type.Literal('degraded')]),
      version: Type.String(),
      database: Type.Object({
        kind: Type.String(),
        status: Type.Union([Type.Literal('ok'), Type.Literal('unavailable'), Type.Literal('outdated')], {
          description: 'outdated: a newer version of Paydesk has moved the database on while this server was cut off from it',
        }),
      }),
      uptime: Type.Integer({ description: 'seconds' }),
    }),
    run: async () => {
      const { database } = core();
      const found = await database.ping().then(
        () => 'ok' as const,
        (error: unknown) => (isOutdated(error) ? ('outdated' as const) : ('unavailable' as const)),
      );
      return {
        status: found === 'ok' ? ('ok' as const) : ('degraded' as const),
        version: VERSION,
        database: { kind: database.kind, status: found },
        uptime: Math.floor((performance.now() - startedAt) / 1_000),
      };
    },
    show: (health) => health,
  });
}
