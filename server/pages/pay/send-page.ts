import type { FastifyReply } from 'fastify';
import { documentOf, type Page } from './layout.ts';

/** Sends a page with its status and content security policy. */
export function sendDocument(reply: FastifyReply, page: Page, context: Parameters<typeof documentOf>[1]): FastifyReply {
  const { text, policy } = documentOf(page, context);
  return reply.code(page.status).type('text/html; charset=utf-8').header('content-security-policy', policy).send(text);
}
