import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { type FundingStream, FundingTotals, Settlement } from '#core/books/settlement';
import { responseBody } from '#server/http';

/** Number of settlements that are written together. */
const BLOCK = 100;

/** Streams a funding report as JSON by the schema of the route: any number of settlements in bounded memory, followed by their totals. */
export async function sendFunding(reply: FastifyReply, { settlements, totals }: FundingStream): Promise<void> {
  async function* pieces() {
    yield '{"success":true,"data":{"settlements":[';
    let separator = '';
    let block: string[] = [];
    for await (const settlement of settlements) {
      block.push(responseBody({ response: Settlement }, settlement));
      if (block.length < BLOCK) continue;
      yield separator + block.join(',');
      separator = ',';
      block = [];
    }
    if (block.length > 0) yield separator + block.join(',');
    // The members of the object that follow its list.
    yield `],${responseBody({ response: FundingTotals }, totals()).slice(1, -1)}}}`;
  }
  await reply.type('application/json; charset=utf-8').send(Readable.from(pieces()));
}
