import { expect, test } from 'vitest';
import { seededPlace } from '../../support/seeded.ts';
import { DATABASES } from '../../support/server.ts';
import { newMerchant, sell, settle } from '../../support/settlements.ts';
import { describeStations, runLedger } from './stations.ts';

describeStations('the command that adds the ledger up', (station) => {
  test('reports every planted fault', async () => {
    const { on, ledger, differences, tamper } = station();
    const merchantId = await newMerchant(on);
    const { transactionId } = await sell(on, merchantId, 80);
    await on.api.admin.post(`/transactions/${transactionId}/refund`, { amount: 20 });
    const [settlement] = await settle(on, merchantId);
    expect(await differences()).toEqual([]);
    const mine = `merchant_id = '${merchantId}'`;
    for (const [change, back, finding] of [
      [
        `UPDATE transactions SET captured_minor = captured_minor - 1 WHERE id = '${transactionId}'`,
        `UPDATE transactions SET captured_minor = captured_minor + 1 WHERE id = '${transactionId}'`,
        { what: 'captured amount of a payment', of: transactionId, ledger: 8_000, record: 7_999 },
      ],
      [
        `UPDATE ledger_balances SET n = n + 5 WHERE ${mine} AND account = 'unsettled'`,
        `UPDATE ledger_balances SET n = n - 5 WHERE ${mine} AND account = 'unsettled'`,
        { what: 'balance of an account', of: 'unsettled', ledger: 0, record: 5 },
      ],
      [
        `UPDATE ledger_transfers SET amount_minor = 1999 WHERE ${mine} AND kind = 'refund'`,
        `UPDATE ledger_transfers SET amount_minor = 2000 WHERE ${mine} AND kind = 'refund'`,
        { what: 'approved refund', ledger: 1_999, record: 2_000 },
      ],
      [
        `UPDATE refunds SET status = 'failed' WHERE ${mine}`,
        `UPDATE refunds SET status = 'approved' WHERE ${mine}`,
        { what: 'approved refund', ledger: 2_000, record: 0 },
      ],
      [
        `UPDATE settlements SET fees_minor = fees_minor - 1 WHERE ${mine}`,
        `UPDATE settlements SET fees_minor = fees_minor + 1 WHERE ${mine}`,
        { what: 'fees of a settlement', of: settlement?.settlementId },
      ],
      [
        `UPDATE transaction_facts SET n = n + 1 WHERE ${mine} AND fact = 'capture' AND measure = 'amount'`,
        `UPDATE transaction_facts SET n = n - 1 WHERE ${mine} AND fact = 'capture' AND measure = 'amount'`,
        { what: 'day counter of money that moved', ledger: 8_000, record: 8_001 },
      ],
    ] as const) {
      await tamper(change);
      const found = await differences();
      expect(found, change).toContainEqual(expect.objectContaining({ merchantId, currency: 'USD', ...finding }));
      await tamper(back);
      expect(await differences()).toEqual([]);
    }
    await tamper(`UPDATE ledger_balances SET n = n + 5 WHERE ${mine} AND account = 'unsettled'`);
    const { said, code } = await ledger();
    expect(said).toContain(
      `balance of an account: unsettled (${merchantId}, ${on.credentials.tenantId}, USD): 0 by the ledger, 5 on record\n`,
    );
    expect(code).toBe(1);
    await tamper(`UPDATE ledger_balances SET n = n - 5 WHERE ${mine} AND account = 'unsettled'`);
  });
});

test.each(DATABASES)('confirms that three months of sales agree (%s)', async (kind) => {
  const { dataDir, url, remove } = await seededPlace(kind);
  const { said, code } = await runLedger(url === undefined ? ['--data-dir', dataDir] : ['--database-url', url]);
  await remove();
  expect(said).toMatch(/^\d+ transfers added up: everything agrees\.\n$/);
  expect(Number.parseInt(said, 10)).toBeGreaterThan(500);
  expect(code).toBe(0);
});

test('requires a database', async () => {
  expect(await runLedger(['--data-dir', '/nonexistent'])).toEqual({ code: 2, said: 'There is no paydesk.sqlite in /nonexistent.\n' });
  expect((await runLedger([])).said).toContain('--data-dir DIR');
});
