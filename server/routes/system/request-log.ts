import { Type } from 'typebox';
import { Paginated, route } from '#server/http';
import { Maybe, oneOf, PageQuery, pageFrom, Timestamp } from '#server/schemas';

export const adminRequestLog = [
  route({
    surface: 'admin',
    scope: 'merchant',
    method: 'GET',
    path: '/request-log',
    permission: 'api-keys:read',
    id: 'admin.listRequests',
    tag: 'API keys',
    summary: 'Last 500 requests, newest first',
    description: 'Requests to this server since its start, on every surface, with their results, and never their contents.',
    query: Type.Object({ ...PageQuery, failed: oneOf('true', 'false') }),
    response: Paginated(
      Type.Object({
        id: Type.String({ description: 'as in X-Request-Id' }),
        at: Timestamp,
        surface: Type.String(),
        method: Type.String(),
        path: Type.String(),
        status: Type.Integer(),
        ms: Type.Number(),
        code: Maybe(Type.String()),
        credential: Maybe(Type.String()),
        merchantId: Maybe(Type.String()),
      }),
    ),
    run: async ({ actor, query, request }) =>
      request.server.requestLog.page(actor.tenantId, { merchantId: actor.merchantId, failed: query.failed === 'true' }, pageFrom(query)),
  }),
];
