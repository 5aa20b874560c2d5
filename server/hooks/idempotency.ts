import { createHmac, type KeyObject } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { type IdempotencyKey, isStorable, ServiceError } from '#core/kernel';
import { type Route, refuseCardNumber } from '#server/http';

const KEY_MAX = 255;
const SECURITY_CODES = new Set(['cvv', 'CVV', 'Cvv']);

/**
 * Returns the Idempotency-Key of a request with a fingerprint of the request; null without a key. If the route declares
 * `idempotentBy` and no key was sent, a hash of these fields is the key.
 */
export function readIdempotencyKey(
  request: FastifyRequest,
  { id: route, idempotentBy, confirms }: Pick<Route, 'id' | 'idempotentBy' | 'confirms'>,
  credentialId: string,
  fingerprintKey: KeyObject,
): IdempotencyKey | null {
  const sent = request.headers['idempotency-key'];
  if (sent === undefined && idempotentBy === undefined) return null;
  const identifying =
    sent === undefined
      ? idempotentBy?.map((name) => String((request.body as Record<string, unknown>)[name]))
      : confirms
        ? withoutConfirmation(request.body)
        : request.body;
  const hash = createHmac('sha256', fingerprintKey);
  const fingerprint = hash.update(`${request.method} ${request.url}\n${canonicalJson(identifying)}`).digest('base64');
  const key = sent ?? fingerprint;
  if (typeof key !== 'string' || key.length < 1 || key.length > KEY_MAX || !isStorable(key)) {
    throw new ServiceError('VALIDATION_ERROR', `The Idempotency-Key must have 1 to ${KEY_MAX} characters.`, { field: 'Idempotency-Key' });
  }
  refuseCardNumber(key, 'Idempotency-Key');
  return { key: hashedKey(key, fingerprintKey), credentialId, route, fingerprint };
}

/** Returns a body without the password and the code of its confirmation, which a repeated request may send with other values. */
function withoutConfirmation(body: unknown): unknown {
  if (typeof body !== 'object' || body === null) return body;
  return Object.fromEntries(Object.entries(body).filter(([name]) => name !== 'currentPassword' && name !== 'currentCode'));
}

/** Returns the stored form of a key. */
function hashedKey(key: string, hashKey: KeyObject): string {
  return createHmac('sha256', hashKey).update(`key\n${key}`).digest('base64url');
}

/** Returns the body as JSON with its keys in order and without the security code, which is never stored in any form. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(canonical(value)) ?? '';
}

function canonical(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(canonical);
  const ordered: Record<string, unknown> = {};
  for (const name of Object.keys(value).sort())
    if (!SECURITY_CODES.has(name)) ordered[name] = canonical((value as Record<string, unknown>)[name]);
  return ordered;
}

/**
 * Returns true if an error is stored under the idempotency key and replayed: a rejection by the operation itself. Invalid input (400) and
 * temporary failures are not stored, so that a corrected or repeated request runs.
 */
export function isReplayable(error: ServiceError): boolean {
  return error.status > 400 && error.status < 500 && error.status !== 429 && error.details?.retryAfter === undefined;
}
