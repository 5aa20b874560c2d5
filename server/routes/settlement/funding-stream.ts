import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { FundingStream } from '#core/books/settlement';
import { jsonWriterFor } from '#server/http';
import { FundingRestOut, fundingSumsRecord, fundingTotals, SettlementOut, settlementRecord } from '#server/schemas';

/** Number of settlements that are written together. */
const BLOCK = 100;

/** Streams a funding report as JSON by the schema of the route: any number of settlements in bounded memory, followed by their totals. */
export async function sendFunding(
  reply: FastifyReply,
  { startDate, endDate, currency, settlements, sums, otherCurrencies }: FundingStream,
): Promise<void> {
  const [writeSettlement, writeRest] = [jsonWriterFor(SettlementOut), jsonWriterFor(FundingRestOut)];
  async function* pieces() {
    yield '{"success":true,"data":{"settlements":[';
    let separator = '';
    let block: string[] = [];
    for await (const settlement of settlements) {
      block.push(writeSettlement(settlementRecord(settlement)));
      if (block.length < BLOCK) continue;
      yield separator + block.join(',');
      separator = ',';
      block = [];
    }
    if (block.length > 0) yield separator + block.join(',');
    const rest = { startDate, endDate, currency, ...fundingTotals(sums()), otherCurrencies: otherCurrencies.map(fundingSumsRecord) };
    // The members of the object that follow its list.
    yield `],${writeRest(rest).slice(1, -1)}}}`;
  }
  await reply.type('application/json; charset=utf-8').send(Readable.from(pieces()));
}
