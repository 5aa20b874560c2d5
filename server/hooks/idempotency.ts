import { createHmac, type KeyObject } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { HASHED_KEY_PREFIX, type IdempotencyKey, isStorable, ServiceError } from '#core/kernel';
import type { Route } from '#server/http';
import { refuseCardNumber } from '#server/http';

const KEY_MAX = 255;
const SECURITY_CODES = new Set(['cvv', 'CVV', 'Cvv']);

/**
 * The request's Idempotency-Key with the keyed hash of what it came with; null without one (decisions 2). Where fields of the body name the caller's
 * request, they stand for a key that was not sent.
 */
export function onceOf(
  request: FastifyRequest,
  { id: route, onceBy }: Pick<Route, 'id' | 'onceBy'>,
  credentialId: string,
  fingerprintKey: KeyObject,
): IdempotencyKey | null {
  const sent = request.headers['idempotency-key'];
  if (sent === undefined && onceBy === undefined) return null;
  const named = sent === undefined ? onceBy?.map((name) => String((request.body as Record<string, unknown>)[name])) : request.body;
  const hash = createHmac('sha256', fingerprintKey);
  const fingerprint = hash.update(`${request.method} ${request.url}\n${canonical(named)}`).digest('base64');
  const key = sent ?? fingerprint;
  if (typeof key !== 'string' || key.length < 1 || key.length > KEY_MAX || !isStorable(key)) {
    throw new ServiceError('VALIDATION_ERROR', `The Idempotency-Key must have 1 to ${KEY_MAX} characters.`, { field: 'Idempotency-Key' });
  }
  refuseCardNumber(key, 'Idempotency-Key');
  return { key: hashedKey(key, fingerprintKey), sentKey: key, credentialId, route, fingerprint };
}

/** Returns the stored form of a key. The prefix distinguishes it from a key that an older version stored unhashed. */
function hashedKey(key: string, hashKey: KeyObject): string {
  return `${HASHED_KEY_PREFIX}${createHmac('sha256', hashKey).update(`key\n${key}`).digest('base64url')}`;
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
