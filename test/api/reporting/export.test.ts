// @module-tag full
import { expect, test } from 'vitest';
import { collectGarbage } from '../../support/heap.ts';
import { cardBody, type TransactionRecord } from '../../support/sales.ts';
import { expectData, sized } from '../../support/server.ts';
import { sell } from '../../support/settlements.ts';
import { describeWithLedger, type LedgerServer } from './ledger-server.ts';

const COPIES = sized(8_000, 24_000);
const TEXT_BYTES = sized(2_100, 1_400);
/** Half of the file's size. The buffers between the two ends of a connection contain a few megabytes. */
const HELD_MAX = (COPIES * TEXT_BYTES) / 2;

/** Memory that the process holds, server and reader together. */
function held(): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** Copies a payment with its daily counters more often than a test could sell. */
async function multiply({ runSql: tamper }: LedgerServer, transactionId: string): Promise<void> {
  const [row] = await tamper<Record<string, unknown>>(`SELECT * FROM transactions WHERE id = '${transactionId}'`);
  const columns = Object.keys(row ?? {});
  const values = columns.map((column) => {
    if (column === 'id') return "'txn_0000000000000000000' || (1000000 + n)";
    return column === 'description' ? `'${'x'.repeat(TEXT_BYTES)}' || n` : column;
  });
  await tamper(
    `WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${COPIES})
     INSERT INTO transactions (${columns.join(', ')}) SELECT ${values.join(', ')} FROM transactions, numbers WHERE id = '${transactionId}'`,
  );
  await tamper(`UPDATE transaction_counts SET n = n + ${COPIES} WHERE merchant_id = '${row?.merchant_id}'`);
}

describeWithLedger(
  'the export',
  (ledgerServer) => {
    test('exports every row once while sales continue, with backpressure', async () => {
      const { service } = ledgerServer();
      const { admin, bare } = service.api;
      const { tenantId, merchantId, adminEmail: email, adminPassword: password } = service.credentials;
      const first = await sell(service, merchantId, 20);
      await multiply(ledgerServer(), first.transactionId);
      const { pagination } = (await admin.get('/transactions?limit=1')).body;
      expect(pagination.total).toBe(COPIES + 1);

      const signedIn = await expectData(
        bare.post<{ token: string }>('/api/v1/auth/login', { email, password }, { 'X-Tenant-ID': tenantId }),
      );
      const before = held();
      const response = await fetch(`${service.baseUrl}/api/v1/reporting/export/transactions?format=csv`, {
        headers: { 'X-Tenant-ID': tenantId, Authorization: `Bearer ${signedIn.token}` },
      });
      expect(response.status).toBe(200);
      const reader = (response.body as ReadableStream<Uint8Array>).getReader();
      const decoder = new TextDecoder();
      const ids = new Map<string, number>();
      let rest = '';
      const take = async () => {
        const { done, value } = await reader.read();
        const lines = (rest + decoder.decode(value, { stream: !done })).split('\r\n');
        rest = lines.pop() ?? '';
        for (const line of lines) {
          // Copied, because a part of a string keeps the whole string in memory.
          const id = Buffer.from(line.slice(0, line.indexOf(','))).toString();
          ids.set(id, (ids.get(id) ?? 0) + 1);
        }
        return !done;
      };

      await take();
      const later: string[] = [];
      const sale = async () => {
        const made = await expectData(admin.post<TransactionRecord>('/transactions', { ...cardBody(21), merchantId }));
        later.push(made.transactionId);
      };
      // While the reader pauses, the rest of the file stays in the database.
      for (let sales = 0; sales < 20; sales += 1) await sale();
      // The memory of buffers is released some turns after their collection.
      await expect.poll(() => held() - before).toBeLessThan(HELD_MAX);
      for (let reads = 1; await take(); reads += 1) if (reads % 40 === 0) await sale();

      expect(ids.get('transactionId')).toBe(1);
      ids.delete('transactionId');
      expect(rest).toBe('');
      expect(ids.size).toBe(pagination.total);
      expect([...new Set(ids.values())]).toEqual([1]);
      expect(later.length).toBeGreaterThan(20);
      expect(later.filter((id) => ids.has(id))).toEqual([]);
      expect((await admin.get('/transactions?limit=1')).body.pagination.total).toBe(pagination.total + later.length);
    });
  },
  'empty',
);
