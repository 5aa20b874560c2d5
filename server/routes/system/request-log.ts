import { Type } from 'typebox';
import { count, id, nullable, number, text, time } from '#core/platform/fields';
import { Paginated, route } from '#server/http';
import { oneOf, PageQuery, pageFrom } from '#server/schemas';

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
        id: text('as in X-Request-Id', 'req_4f1f1b8a2c3d4e5f8a9b0c1d2e3f4a5b'),
        at: time('Time of the request'),
        surface: text('Surface of the API', 'public'),
        method: text('Method', 'POST'),
        path: text('Path of the request', '/api/v1/public/transaction'),
        status: count('Status of the response', 200),
        ms: number('Duration in milliseconds', 12.4),
        code: nullable(text('Error code or decline code', 'insufficient_funds')),
        credential: nullable(text('Name of the user or API key', 'Demo merchant key')),
        merchantId: nullable(id('mer', 'ID of the merchant')),
      }),
    ),
    run: async ({ actor, query, request }) =>
      request.server.requestLog.page(actor.tenantId, { merchantId: actor.merchantId, failed: query.failed === 'true' }, pageFrom(query)),
  }),
];
