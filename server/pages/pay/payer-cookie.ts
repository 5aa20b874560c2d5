import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { SHIPPING_FIELDS, type ShippingValues } from './shipping.ts';

/** Values of a form that the payer's browser stores for the next page; card and account numbers are not among them. */
interface Remembered extends Partial<ShippingValues> {
  readonly method?: 'card' | 'ach';
  readonly tip?: string;
  readonly tipAmount?: string;
  readonly name?: string;
  readonly email?: string;
  readonly zip?: string;
  readonly accountType?: string;
}

const NAME = 'paydesk_payer';
const SECONDS = 600;
const LENGTH_MAX = 2_000;
const TEXTS = ['tip', 'tipAmount', 'name', 'email', 'zip', 'accountType', ...SHIPPING_FIELDS] as const;

/** Stores values of a form in a cookie for the page at `path`, for ten minutes. */
export function remember(request: FastifyRequest, reply: FastifyReply, path: string, values: Remembered): void {
  const value = Buffer.from(JSON.stringify(values)).toString('base64url');
  if (value.length > LENGTH_MAX) return;
  const secure = request.headers.origin?.startsWith('https:') ? '; Secure' : '';
  reply.header('set-cookie', `${NAME}=${value}; Path=${path}; Max-Age=${SECONDS}; HttpOnly; SameSite=Lax${secure}`);
}

/** Reads the cookie. Anyone can write a cookie, so every part is checked. */
export function recall(request: FastifyRequest): Remembered {
  const [, value] = new RegExp(`(?:^|; *)${NAME}=([\\w-]{1,${LENGTH_MAX}})(?:;|$)`).exec(request.headers.cookie ?? '') ?? [];
  if (value === undefined) return {};
  try {
    const kept = JSON.parse(Buffer.from(value, 'base64url').toString()) as Record<string, unknown> | null;
    const texts = TEXTS.flatMap((name) => {
      const text = kept?.[name];
      return typeof text === 'string' && text.length <= 254 ? [[name, text.toWellFormed()] as const] : [];
    });
    const method = kept?.method === 'ach' || kept?.method === 'card' ? { method: kept.method as 'ach' | 'card' } : {};
    return { ...Object.fromEntries(texts), ...method };
  } catch {
    return {};
  }
}

const DEVICE_NAME = 'paydesk_device';
const DEVICE_SECONDS = 400 * 86_400;
const DEVICE_BYTES = 16;

/** Returns the random ID of the payer's browser; undefined if the cookie is absent. */
export function deviceOf(request: FastifyRequest): string | undefined {
  return new RegExp(`(?:^|; *)${DEVICE_NAME}=([\\w-]{22})(?:;|$)`).exec(request.headers.cookie ?? '')?.[1];
}

/**
 * Gives the payer's browser a random ID, unless it has one, and returns it. With its consent to pay, the ID links later payments of the same browser as
 * evidence against a dispute; it is sent to pages below `path` only.
 */
export function markDevice(request: FastifyRequest, reply: FastifyReply, path: '/pay' | '/account'): string {
  const present = deviceOf(request);
  if (present !== undefined) return present;
  const secure = request.headers.origin?.startsWith('https:') || request.protocol === 'https' ? '; Secure' : '';
  const id = randomBytes(DEVICE_BYTES).toString('base64url');
  reply.header('set-cookie', `${DEVICE_NAME}=${id}; Path=${path}; Max-Age=${DEVICE_SECONDS}; HttpOnly; SameSite=Lax${secure}`);
  return id;
}
