import type { FastifyReply } from 'fastify';

/** Sends a file that the browser shows. */
export function sendPdf(reply: FastifyReply, filename: string, content: Buffer): FastifyReply {
  return reply
    .type('application/pdf')
    .header('content-disposition', `inline; filename="${filename.replace(/[^\w.-]/g, '_')}"`)
    .send(content);
}
