import { Type } from 'typebox';
import { route } from '#server/http';
import { Maybe, oneOf, PageQuery, Paginated, pageFrom, paginated, Timestamp } from '#server/schemas';

export const adminRequestLog = [
  route({
    surface: 'admin',
    scope: 'merchant',
    method: 'GET',
    path: '/request-log',
    permission: 'api-keys:read',
    id: 'admin.listRequests',
    tag: 'API keys',
    summary: 'The last 500 requests, newest first',
    description: 'Of this server since it started, on every surface. What was asked and how it was answered, never what it carried.',
    query: Type.Object({ ...PageQuery, failed: oneOf('true', 'false') }),
    answer: Paginated(
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
    show: (page) => paginated(page, (one) => one),
  }),
];
