// @module-tag full
import { expect, test } from 'vitest';
import type { Database } from '#core/database';
import { type Actor, isoTime, money, newId, storedCurrency, type TenantTime } from '#core/kernel';
import { post } from '#core/records/ledger';
import { TENDERS } from '../../../core/sales/tenders/schema.ts';
import { openTestCore } from '../../support/core.ts';
import { BLOCK_MS_MAX, watchEventLoop } from '../../support/event-loop.ts';
import { collectGarbage } from '../../support/heap.ts';

/** The largest statement, and the largest one as a document. */
const ENTRIES = 100_000;
const DOCUMENT_ENTRIES = 3_000;
const BATCH = 1_000;
const HEAP_MAX = 200 * 1_048_576;
const FIRST_MS = Date.parse('2025-02-01T12:00:00Z');
const USD = storedCurrency('USD');
const PERIOD = { startDate: '2025-01-01', endDate: '2025-12-31' };

/** Stores checks that a customer gave at the counter, one a minute, with their movements in the ledger. */
async function storeChecks(database: Database, { tenantId }: Actor, merchantId: string, customerId: string): Promise<void> {
  for (let from = 0; from < ENTRIES; from += BATCH)
    await database.unitOfWork.writeBatch(tenantId, (writer) => {
      for (let nth = from; nth < from + BATCH; nth += 1) {
        const now = (FIRST_MS + nth * 60_000) as TenantTime;
        const [id, at] = [newId('tnd', now), isoTime(now)];
        writer.insert(TENDERS, {
          tenant_id: tenantId,
          id,
          merchant_id: merchantId,
          number: nth + 1,
          kind: 'check',
          name: null,
          currency: 'USD',
          amount_minor: 1_000,
          tax_minor: 0,
          discount_minor: 0,
          discount_id: null,
          discount_approved_by: null,
          refunded_minor: 0,
          rounding_minor: 0,
          given_minor: null,
          check_number: String(nth),
          check_bank: null,
          gift_card_id: null,
          gift_card_last4: null,
          customer_id: customerId,
          customer_name: 'Ann Marsh',
          customer_email: null,
          order_id: null,
          order_key: null,
          description: null,
          line_items: null,
          invoice_id: null,
          drawer: 'Drawer 1',
          shift_id: null,
          created_by: 'test',
          returned_at: null,
          return_reason: null,
          day: at.slice(0, 10),
          created_at: at,
          updated_at: at,
        });
        const amount = money(1_000, USD);
        post(writer, { tenantId, merchantId, id, kind: 'check_sale', amount, subjectId: id, day: at.slice(0, 10), at });
      }
    });
}

test('a statement of 100,000 entries needs bounded memory and blocks no other request', { timeout: 300_000 }, async () => {
  const { core, actor, database, close } = await openTestCore();
  try {
    const merchantId = (await core.merchants.merchantFor(actor)).merchantId;
    const { customerId } = await core.customers.create(actor, { firstName: 'Ann', lastName: 'Marsh', merchantId });
    await storeChecks(database, actor, merchantId, customerId);
    const minutes = (from: number, to: number) => ({
      startDate: isoTime(FIRST_MS + from * 60_000).slice(0, 10),
      endDate: isoTime(FIRST_MS + to * 60_000).slice(0, 10),
    });

    /** Runs a read, and expects that it neither blocks the event loop nor keeps much memory. */
    const measured = async <Result>(read: () => Promise<Result>): Promise<Result> => {
      collectGarbage();
      const before = process.memoryUsage().heapUsed;
      const loop = watchEventLoop();
      const result = await read();
      expect(loop.end()).toBeLessThan(BLOCK_MS_MAX);
      expect(process.memoryUsage().heapUsed - before).toBeLessThan(HEAP_MAX);
      return result;
    };
    const page = await measured(() => core.statements.page(actor, customerId, PERIOD, { page: 1_000, limit: 100 }));
    expect([page.total, page.entries.length, page.accounts[0]?.received.minor]).toEqual([ENTRIES, 100, ENTRIES * 1_000]);
    let lines = 0;
    await measured(async () => {
      for await (const shown of core.statements.lines(actor, customerId, PERIOD)) lines += shown.length;
    });
    expect(lines).toBe(ENTRIES);
    const refused = core.statements.pdf(actor, customerId, PERIOD);
    await expect(refused).rejects.toMatchObject({ code: 'VALIDATION_ERROR', details: { limit: DOCUMENT_ENTRIES } });
    // The program that draws documents is loaded once.
    await core.statements.pdf(actor, customerId, minutes(-1_440, -1_440));
    const { content } = await measured(() => core.statements.pdf(actor, customerId, minutes(1_440, 2 * 1_440)));
    expect(content.subarray(0, 5).toString()).toBe('%PDF-');
  } finally {
    await close();
  }
});
