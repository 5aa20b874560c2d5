import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { FundingStream } from '#core/settlement';
import { fundingSumsRecord, fundingTotals, settlementRecord } from '#server/schemas';

/** Settlements that are written as one piece. */
const BLOCK = 100;

/** Streams a funding report as JSON: any number of settlements in bounded memory, and after them what they come to. */
export async function sendFunding(
  reply: FastifyReply,
  { startDate, endDate, currency, settlements, sums, otherCurrencies }: FundingStream,
): Promise<void> {
  async function* pieces() {
    yield `{"success":true,"data":{${inner({ startDate, endDate, currency })},"settlements":[`;
    let separator = '';
    let block: string[] = [];
    for await (const settlement of settlements) {
      block.push(JSON.stringify(settlementRecord(settlement)));
      if (block.length < BLOCK) continue;
      yield separator + block.join(',');
      separator = ',';
      block = [];
    }
    if (block.length > 0) yield separator + block.join(',');
    yield `],${inner({ ...fundingTotals(sums()), otherCurrencies: otherCurrencies.map(fundingSumsRecord) })}}}`;
  }
  await reply.type('application/json; charset=utf-8').send(Readable.from(pieces()));
}

/** The members of an object as they stand between its braces. */
const inner = (of: object) => JSON.stringify(of).slice(1, -1);
