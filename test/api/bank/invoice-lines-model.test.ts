import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type BankLineRecord, importLines, listBankLines, matchBankLine, suggestedParts, undoBankMatch } from '../../support/bank.ts';
import { accountsOf, bankFigure, credit, customerOf, sendInvoice, today } from '../../support/bank-invoices.ts';
import { getInvoice, type InvoiceRecord, payInvoice } from '../../support/invoices.ts';
import { ANY_DATABASE, expectData, sized } from '../../support/server.ts';
import { closeShift, openShift, type TenderRecord, takeTender } from '../../support/tenders.ts';
import { FULL } from '../../support/tier.ts';
import { describeWithLedger, type LedgerServer } from '../reporting/ledger-server.ts';

const NAMES = ['Ann Marsh', 'Ben Ottoman', 'Cleo Okafor'] as const;
const cents = (amount: number) => Math.round(amount * 100);
const sumOf = (amounts: readonly number[]) => amounts.reduce((sum, amount) => sum + cents(amount), 0) / 100;

/** A step of a random history. Numbers choose an invoice, a customer or a line. */
const step = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('invoice' as const), n: fc.nat(2), minor: fc.integer({ min: 100, max: 30_000 }) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('line' as const), n: fc.nat(20), minor: fc.integer({ min: -4_000, max: 6_000 }) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('deposit' as const), n: fc.nat(1), minor: fc.integer({ min: 500, max: 9_000 }) }) },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('confirm' as const), n: fc.nat(20), minor: fc.constant(0) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('undo' as const), n: fc.nat(20), minor: fc.constant(0) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('pay' as const), n: fc.nat(20), minor: fc.integer({ min: 100, max: 9_000 }) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('refund' as const), n: fc.nat(20), minor: fc.integer({ min: 100, max: 9_000 }) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('explain' as const), n: fc.nat(20), minor: fc.nat(3) }) },
);

type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** Runs a random history, and compares the sums of its statement, ledger, close and invoices. */
async function agree(ledgerServer: () => LedgerServer, length: number): Promise<void> {
  const { service } = ledgerServer();
  const { api } = service;
  const { merchantId } = service.credentials;
  const body = { merchantId, name: `Checking ${length}`, accountNumber: '9876543210' };
  const { bankAccountId } = await expectData(api.admin.post<{ bankAccountId: string }>('/settlement/bank-accounts', body), 201);
  const shop = { merchantId, bankAccountId };
  const customers = [];
  for (const name of NAMES) {
    const [firstName, lastName] = name.split(' ');
    customers.push(await customerOf(service, shop, { firstName, lastName }));
  }
  const [steps] = fc.sample(fc.array(step, { minLength: length, maxLength: length }), 1) as [Step[]];
  const invoices: InvoiceRecord[] = [];
  let texts = 0;
  for (const { kind, n, minor } of steps) {
    if (kind === 'invoice') invoices.push(await sendInvoice(service, customers[n] as { customerId: string }, minor / 100));
    else if (kind === 'line') {
      const invoice = invoices.length === 0 ? undefined : invoices[n % invoices.length];
      texts += 1;
      // Every third line names an invoice with its whole amount, a part or more; the others a customer, or nobody.
      const amount = minor > 0 && invoice && n % 2 === 0 ? cents(invoice.amount) : minor === 0 ? 1 : minor;
      const text = n % 3 === 0 && invoice ? `WIRE ${invoice.number}` : n % 3 === 1 ? `SEPA ${NAMES[n % 3]}` : `LINE ${texts}`;
      await importLines(service, shop, [credit(amount, text)]);
    } else if (kind === 'deposit') {
      if (n === 0) await takeTender(service, minor / 100, { merchantId, kind: 'check', checkNumber: String(texts) });
      else {
        const { shiftId } = await openShift(service, { merchantId, drawer: 'Front', amount: 0 });
        await takeTender(service, minor / 100, { merchantId, drawer: 'Front' });
        await expectData(closeShift(service, shiftId, { amount: minor / 100 }));
      }
      await importLines(service, shop, [credit(minor, 'DEPOSIT')]);
    } else if (kind === 'pay') {
      const invoice = invoices[n % Math.max(invoices.length, 1)];
      if (invoice) await payInvoice(service, invoice.invoiceId, { paymentMethod: 'other', reference: 'Voucher', amount: minor / 100 });
    } else if (kind === 'refund') {
      // A part of a bank transfer is refunded, and the bank books the debit.
      const tenders = await expectData(api.admin.get<TenderRecord[]>(`/tenders?merchantId=${merchantId}&limit=200`));
      const transfers = tenders.filter(({ name, refundedAmount, amount }) => name === 'Bank transfer' && refundedAmount < amount);
      const transfer = transfers[n % Math.max(transfers.length, 1)];
      if (!transfer) continue;
      const amount = Math.min(minor, cents(transfer.amount) - cents(transfer.refundedAmount)) / 100;
      await expectData(api.admin.post(`/tenders/${transfer.tenderId}/refund`, { amount }), 201);
      await importLines(service, shop, [credit(-cents(amount), 'REFUND')]);
    } else {
      const lines = await listBankLines(service, shop, kind === 'undo' ? '' : 'state=open');
      const line = lines[n % Math.max(lines.length, 1)] as BankLineRecord | undefined;
      if (!line) continue;
      const parts = kind === 'confirm' ? suggestedParts(line) : [{ kind: ['own', 'ignore', 'fee', 'chargeback'][minor] }];
      const answer = kind === 'undo' ? await undoBankMatch(service, line.lineId) : await matchBankLine(service, line.lineId, parts);
      expect([200, 400, 409, 422]).toContain(answer.status);
    }
  }

  // Statement, ledger and close agree, and so do the invoices and the matches that pay them.
  const lines = await listBankLines(service, shop);
  const matches = lines.flatMap(
    (line) => line.matches as unknown as { kind: string; amount: number; invoice: { invoiceId: string } | null }[],
  );
  const related = matches.filter(({ kind }) => kind !== 'own' && kind !== 'ignore').map(({ amount }) => amount);
  const accounts = await accountsOf(service, shop);
  expect(-(accounts.bank ?? 0)).toBe(sumOf(related));
  const deposited = matches.filter(({ kind }) => ['invoice', 'cash', 'check', 'refund'].includes(kind)).map(({ amount }) => amount);
  expect(accounts.tendersDeposited).toBe(sumOf(deposited));
  const figure = await bankFigure(service, shop, `date=${today()}`);
  const unrelated = matches.filter(({ kind }) => kind === 'own' || kind === 'ignore').map(({ amount }) => -amount);
  expect(figure ?? { ledger: 0, bank: 0 }).toMatchObject({
    ledger: sumOf(related),
    bank: sumOf([...lines.map(({ amount }) => amount), ...unrelated]),
  });
  for (const { invoiceId } of invoices) {
    const { payments, amountPaid, amount } = await getInvoice(service, invoiceId);
    const byLines = matches.filter(({ invoice }) => invoice?.invoiceId === invoiceId).map((match) => match.amount);
    const transfers = payments.filter(({ method, status }) => method === 'bank_transfer' && status === 'succeeded');
    expect(sumOf(transfers.map((payment) => payment.amount))).toBe(sumOf(byLines));
    expect(sumOf(payments.filter(({ status }) => status === 'succeeded').map((payment) => payment.amount))).toBe(amountPaid);
    expect(amountPaid).toBeLessThanOrEqual(amount);
  }
  expect(await ledgerServer().differences()).toEqual([]);
}

describeWithLedger(
  'a random history of invoices and bank lines',
  (ledgerServer) => {
    test('has equal sums in statement, ledger, close and invoices', () => agree(ledgerServer, 30));
  },
  'empty',
  ANY_DATABASE,
);

describeWithLedger(
  'a long random history of invoices and bank lines',
  (ledgerServer) => {
    test('has equal sums in statement, ledger, close and invoices', { ...FULL, timeout: 300_000 }, () =>
      agree(ledgerServer, sized(150, 400)),
    );
  },
  'empty',
  ANY_DATABASE,
);
