import { Type } from 'typebox';
import { rateStatus } from '#server/hooks';
import { route, Success } from '#server/http';
import { Timestamp } from '#server/schemas';

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
        limit: Type.Integer(),
        remaining: Type.Integer(),
        resetAt: Timestamp,
        usage: Type.Object({ minute: Type.Integer(), hour: Type.Integer(), day: Type.Integer() }),
      }),
    ),
    run: ({ core, principal }) => rateStatus(core.limits, principal),
  }),
];
