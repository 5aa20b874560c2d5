import { Type } from 'typebox';
import { count, group, time } from '#core/platform/fields';
import { rateStatus } from '#server/hooks';
import { route, Success } from '#server/http';

export const adminRateStatus = [
  route({
    surface: 'admin',
    scope: 'caller',
    method: 'GET',
    path: '/rate-limit/status',
    permission: 'session',
    byPin: true,
    id: 'admin.rateLimitStatus',
    tag: 'Limits',
    summary: "Usage of the tier's rate limits",
    description:
      '`limit` and `remaining` are those of the window closest to exhaustion. Without limits they are 2147483647. `usage` counts the requests of the caller in every tier, also without limits.',
    response: Success(
      Type.Object({
        limit: count('Requests that the window admits', 100),
        remaining: count('Requests that are left in the window', 99),
        resetAt: time('Time at which the window ends'),
        usage: group('Requests so far', {
          minute: count('Requests in this minute', 1),
          hour: count('Requests in this hour', 20),
          day: count('Requests today', 300),
        }),
      }),
    ),
    run: ({ core, principal }) => rateStatus(core.limits, principal),
  }),
];
