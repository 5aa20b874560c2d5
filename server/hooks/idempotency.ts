import { createHmac, type KeyObject } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { isStorable, type Once, ServiceError } from '#core/kernel';

const KEY_MAX = 255;
const SECURITY_CODES = new Set(['cvv', 'CVV', 'Cvv']);

/** The request's Idempotency-Key with the keyed hash of what it came with; null without one (decisions 2). */
export function onceOf(request: FastifyRequest, route: string, credentialId: string, fingerprintKey: KeyObject): Once | null {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return null;
  if (typeof key !== 'string' || key.length < 1 || key.length > KEY_MAX || !isStorable(key)) {
    throw new ServiceError('VALIDATION_ERROR', `The Idempotency-Key must have 1 to ${KEY_MAX} characters.`, { field: 'Idempotency-Key' });
  }
  const hash = createHmac('sha256', fingerprintKey);
  hash.update(`${request.method} ${request.url}\n${canonical(request.body)}`);
  return { key, credentialId, route, fingerprint: hash.digest('base64') };
}

/** The body with its names in order and without the security code, which is never kept in any form. */
function canonical(value: unknown): string {
  return (
    JSON.stringify(value, (_, inner: unknown) => {
      if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return inner;
      const entries = Object.entries(inner).filter(([name]) => !SECURITY_CODES.has(name));
      return Object.fromEntries(entries.sort(([left], [right]) => (left < right ? -1 : 1)));
    }) ?? ''
  );
}
