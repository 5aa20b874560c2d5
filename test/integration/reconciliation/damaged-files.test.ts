import { Readable } from 'node:stream';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { storeUpload } from '#core/books/reconciliation';
import { openTestCore } from '../../support/core.ts';

const CARD = { kind: 'card', number: '4111111111111111', expiryMonth: '12', expiryYear: '2031', cvv: '123' } as const;
const DAMAGES = ['none', 'none', 'drop', 'twice', 'change', 'invent'] as const;

test('finds every damage to a file and nothing else', async () => {
  const { core, actor, close } = await openTestCore();
  onTestFinished(close);
  const { merchantId } = await core.merchants.merchantFor(actor);
  const sales = [];
  for (let at = 0; at < 12; at += 1)
    sales.push(await core.payments.createPayment(actor, { type: 'sale', amount: 20 + at, method: CARD, source: 'api' }));
  const [settlement] = await core.settlement.settle(actor, merchantId);
  const date = settlement?.settlementDate ?? '';
  let files = 0;
  const damages = fc.array(fc.constantFrom(...DAMAGES), { minLength: sales.length, maxLength: sales.length });
  await fc.assert(
    fc.asyncProperty(damages, fc.shuffledSubarray(sales, { minLength: sales.length }), async (damaged, order) => {
      files += 1;
      const expected: string[] = [];
      const lines: string[] = [];
      order.forEach((sale, at) => {
        const amount = sale.amount.minor / 100;
        const name = at % 2 === 0 ? sale.transactionId : sale.processorRef;
        const line = `${name},${amount},${date}`;
        const reportExpected = (type: string, difference: number) => expected.push(`${type} ${sale.transactionId} ${difference * 100}`);
        switch (damaged[at]) {
          case 'drop':
            reportExpected('missing_in_settlement', amount);
            break;
          case 'twice':
            lines.push(line, line);
            reportExpected('duplicate', -amount);
            break;
          case 'change':
            lines.push(`${name},${amount + 3},${date}`);
            reportExpected('amount_mismatch', -3);
            break;
          case 'invent':
            lines.push(line, `made-up-${at},5,${date}`);
            expected.push(`missing_in_transactions made-up-${at} -500`);
            break;
          default:
            lines.push(line);
        }
      });
      // The comment makes each file different.
      const text = `id,amount,date,remark ${files}\n${lines.join('\n')}\nelsewhere,1,2001-01-01\n`;
      const file = await storeUpload('ten_files', Readable.from([Buffer.from(text)]));
      const mapping = { transactionId: 'id', amount: 'amount', date: 'date' };
      const { importId } = await core.reconciliation.importFile(actor, { file, filename: null, mapping });
      await file.dispose();
      const found = await core.reconciliation.run(actor, { date, importId });
      const seen = found.discrepancies.map(
        (discrepancy) =>
          `${discrepancy.type} ${discrepancy.transactionId ?? discrepancy.settlementReference} ${discrepancy.difference.minor}`,
      );
      expect(seen.sort()).toEqual(expected.sort());
      expect(found.transactionsTotal.minor - found.settlementsTotal.minor).toBe(
        found.discrepancies.reduce((sum, { difference }) => sum + difference.minor, 0),
      );
      expect(found.matchedCount + found.discrepancies.filter(({ transactionAmount }) => transactionAmount !== null).length).toBe(
        sales.length,
      );
    }),
    { numRuns: 40 },
  );
});
