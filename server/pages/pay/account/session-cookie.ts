import type { FastifyReply, FastifyRequest } from 'fastify';
import type { NewSession } from '#core/billing/customer-page';

const NAME = 'paydesk_account';

/** Returns the session of the browser on the page of a link; undefined if it has none. */
export function sessionOf(request: FastifyRequest): string | undefined {
  return new RegExp(`(?:^|; *)${NAME}=([\\w-]{27})(?:;|$)`).exec(request.headers.cookie ?? '')?.[1];
}

/** Stores a new session in a cookie, which is sent by requests of this page only, and never by those that another site starts. */
export function storeSession(request: FastifyRequest, reply: FastifyReply, path: string, { session, seconds }: NewSession): void {
  setCookie(request, reply, path, session, seconds);
}

export function clearSession(request: FastifyRequest, reply: FastifyReply, path: string): void {
  setCookie(request, reply, path, '', 0);
}

function setCookie(request: FastifyRequest, reply: FastifyReply, path: string, value: string, seconds: number): void {
  const secure = request.headers.origin?.startsWith('https:') || request.protocol === 'https' ? '; Secure' : '';
  reply.header('set-cookie', `${NAME}=${value}; Path=${path}; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure}`);
}
