import type { FastifyInstance } from 'fastify';
import type { Core } from '#core';
import { CHALLENGE, PROOF_PATH } from '#core/processing/merchants';

/** Answers the challenge by which a server of the installation checks that a public address leads here. */
export function addAddressProof(app: FastifyInstance, core: () => Core): void {
  app.get(PROOF_PATH, { config: { isForPayers: true, isForAnyHost: true } }, (request, reply) => {
    const { challenge } = request.query as { challenge?: unknown };
    const isChallenge = typeof challenge === 'string' && CHALLENGE.test(challenge);
    reply.type('text/plain; charset=utf-8').header('cache-control', 'no-store');
    return isChallenge ? reply.send(core().merchants.proveAddress(challenge)) : reply.code(400).send('The challenge is missing.');
  });
}
