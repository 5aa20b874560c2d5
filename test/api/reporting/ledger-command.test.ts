import { expect, test } from 'vitest';
import { createSampleInstallation } from '../../support/sample-data.ts';
import { ANY_DATABASE } from '../../support/server.ts';
import { createMerchant, sell, settle } from '../../support/settlements.ts';
import { describeWithLedger, runLedger } from './ledger-server.ts';

describeWithLedger(
  'the ledger command',
  (ledgerServer) => {
    test('reports every planted fault', async () => {
      const { service, ledger, differences, runSql } = ledgerServer();
      const merchantId = await createMerchant(service);
      const { transactionId } = await sell(service, merchantId, 80);
      await service.api.admin.post(`/transactions/${transactionId}/refund`, { amount: 20 });
      const [settlement] = await settle(service, merchantId);
      expect(await differences()).toEqual([]);
      const mine = `merchant_id = '${merchantId}'`;
      for (const [change, back, finding] of [
        [
          `UPDATE transactions SET captured_minor = captured_minor - 1 WHERE id = '${transactionId}'`,
          `UPDATE transactions SET captured_minor = captured_minor + 1 WHERE id = '${transactionId}'`,
          { comparison: 'captured amount of a payment', subject: transactionId, ledger: 8_000, record: 7_999 },
        ],
        [
          `UPDATE ledger_balances SET n = n + 5 WHERE ${mine} AND account = 'unsettled'`,
          `UPDATE ledger_balances SET n = n - 5 WHERE ${mine} AND account = 'unsettled'`,
          { comparison: 'balance of an account', subject: 'unsettled', ledger: 0, record: 5 },
        ],
        [
          `UPDATE ledger_transfers SET amount_minor = 1999 WHERE ${mine} AND kind = 'refund'`,
          `UPDATE ledger_transfers SET amount_minor = 2000 WHERE ${mine} AND kind = 'refund'`,
          { comparison: 'approved refund', ledger: 1_999, record: 2_000 },
        ],
        [
          `UPDATE refunds SET status = 'failed' WHERE ${mine}`,
          `UPDATE refunds SET status = 'approved' WHERE ${mine}`,
          { comparison: 'approved refund', ledger: 2_000, record: 0 },
        ],
        [
          `UPDATE settlements SET fees_minor = fees_minor - 1 WHERE ${mine}`,
          `UPDATE settlements SET fees_minor = fees_minor + 1 WHERE ${mine}`,
          { comparison: 'fees of a settlement', subject: settlement?.settlementId },
        ],
        [
          `UPDATE transaction_facts SET n = n + 1 WHERE ${mine} AND fact = 'capture' AND measure = 'amount'`,
          `UPDATE transaction_facts SET n = n - 1 WHERE ${mine} AND fact = 'capture' AND measure = 'amount'`,
          { comparison: 'day counter of money that moved', ledger: 8_000, record: 8_001 },
        ],
      ] as const) {
        await runSql(change);
        const found = await differences();
        expect(found, change).toContainEqual(expect.objectContaining({ merchantId, currency: 'USD', ...finding }));
        await runSql(back);
        expect(await differences()).toEqual([]);
      }
      await runSql(`UPDATE ledger_balances SET n = n + 5 WHERE ${mine} AND account = 'unsettled'`);
      const { output, code } = await ledger();
      expect(output).toContain(
        `balance of an account: unsettled (${merchantId}, ${service.credentials.tenantId}, USD): ledger 0, record 5\n`,
      );
      expect(code).toBe(6);
      await runSql(`UPDATE ledger_balances SET n = n - 5 WHERE ${mine} AND account = 'unsettled'`);
    });
  },
  'small',
  ANY_DATABASE,
);

test.each(ANY_DATABASE)('confirms that three months of sales are consistent (%s)', async (kind) => {
  const { dataDir, url, remove } = await createSampleInstallation(kind);
  const { output, code } = await runLedger(url === undefined ? ['--data-dir', dataDir] : ['--database-url', url]);
  await remove();
  expect(output).toMatch(/^\d+ transfers summed: no differences\.\n$/);
  expect(Number.parseInt(output, 10)).toBeGreaterThan(500);
  expect(code).toBe(0);
});

test('requires a database', async () => {
  expect(await runLedger(['--data-dir', '/nonexistent'])).toEqual({
    code: 1,
    output: 'paydesk: There is no paydesk.sqlite in /nonexistent.\n',
  });
  expect(await runLedger([])).toEqual({ code: 2, output: 'paydesk: --data-dir or --database-url is required.\n' });
});
