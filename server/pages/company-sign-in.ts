import type { FastifyInstance } from 'fastify';
import type { Core } from '#core';
import { addressOf, countPayer, loginContextOf } from '#server/hooks';

const FORM_BYTES_MAX = 32_768;
const TOKEN_LENGTH_MAX = 16_384;

/** Adds the address at which a provider of OpenID Connect reports that a person signed out there (Back-Channel Logout 1.0). */
export function addProviderLogout(app: FastifyInstance, core: () => Core): void {
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string', bodyLimit: FORM_BYTES_MAX }, (_, text, done) =>
      done(null, new URLSearchParams(text as string)),
    );
    // The signature of the provider protects it, and the provider knows this server by another name than its own.
    scope.post('/company-sign-in/logout/:tenantId', { config: { isForAnyHost: true } }, async (request, reply) => {
      await countPayer(core().limits, addressOf(request), false, reply);
      const { tenantId } = request.params as { readonly tenantId: string };
      const token = (request.body as URLSearchParams | undefined)?.get('logout_token') ?? '';
      reply.header('cache-control', 'no-store');
      if (token === '' || token.length > TOKEN_LENGTH_MAX || !(await core().identity.tenants.find(tenantId)))
        return reply.code(400).send({ error: 'invalid_request' });
      await core().identity.company.backChannelLogout(tenantId, token, loginContextOf(request));
      return reply.code(200).send({});
    });
  });
}
