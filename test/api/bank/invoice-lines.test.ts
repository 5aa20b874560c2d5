import { describe, expect } from 'vitest';
import {
  type BankLineRecord,
  createBankShop,
  importLines,
  listBankLines,
  matchBankLine,
  suggestedParts,
  undoBankMatch,
} from '../../support/bank.ts';
import { accountsOf, bankFigure, credit, customerOf, sendInvoice, today } from '../../support/bank-invoices.ts';
import { createCustomer } from '../../support/customers.ts';
import { cardPaymentBody, getInvoice, type InvoiceRecord, payInvoice } from '../../support/invoices.ts';
import { CARDS } from '../../support/sales.ts';
import { type ApiFixture, expectData, expectError, onAnyDatabase, onBothDatabases } from '../../support/server.ts';
import { createMerchant } from '../../support/settlements.ts';
import type { TenderRecord } from '../../support/tenders.ts';
import { until } from '../../support/until.ts';
import { createUser } from '../../support/users.ts';

const reasonsOf = (lines: readonly BankLineRecord[]) =>
  lines.map(({ suggestion }) => [suggestion?.reason, ...(suggestion?.parts ?? []).map(({ invoice, amount }) => [invoice?.number, amount])]);

describe('suggesting open invoices for bank lines', () => {
  onBothDatabases('knows a deleted customer by the numbers of the invoices only', async (fixture) => {
    const shop = await createBankShop(fixture);
    const customer = await customerOf(fixture, shop, { firstName: 'Ines', lastName: 'Brandt' });
    const { number } = await sendInvoice(fixture, customer, 310);
    await sendInvoice(fixture, customer, 40);
    await expectData(fixture.api.admin.delete(`/customers/${customer.customerId}`));
    const lines = await importLines(fixture, shop, [credit(35_000, 'SEPA CREDIT BRANDT INES'), credit(31_000, `SEPA CREDIT ${number}`)]);
    expect(reasonsOf(lines)).toEqual([[undefined], ['invoice_number', [number, 310]]]);
  });

  onBothDatabases('does not know a deleted customer by name after a disputed invoice is unpaid again', async (fixture) => {
    const { api } = fixture;
    const shop = await createBankShop(fixture);
    const customer = await customerOf(fixture, shop, { firstName: 'Ines', lastName: 'Brandt' });
    const { invoiceId } = await sendInvoice(fixture, customer, 310);
    await sendInvoice(fixture, customer, 40);
    await expectData(payInvoice(fixture, invoiceId, cardPaymentBody(CARDS.visa, { amount: 100 })));
    const { payments } = await expectData(payInvoice(fixture, invoiceId, { paymentMethod: 'check' }));
    await expectData(api.admin.post('/disputes', { transactionId: payments[0]?.transactionId, dueDate: '2039-01-01' }), 201);
    await expectData(api.admin.delete(`/customers/${customer.customerId}`));
    await expectData(api.admin.post(`/tenders/${payments[1]?.tenderId}/return`, {}));
    expect(await getInvoice(fixture, invoiceId)).toMatchObject({ status: 'partially_paid', amountDue: 210 });
    const lines = await importLines(fixture, shop, [credit(25_000, 'SEPA CREDIT BRANDT INES')]);
    expect(reasonsOf(lines)).toEqual([[undefined]]);
  });

  onAnyDatabase('finds invoices by number, typing error, name, former payer, amount, in parts, sums and with a rest', async (fixture) => {
    const shop = await createBankShop(fixture);
    const acme = await customerOf(fixture, shop, { company: 'Acme Roofing LLC' });
    const brandt = await customerOf(fixture, shop, { firstName: 'Ines', lastName: 'Brandt' });
    const other = await customerOf(fixture, shop, { firstName: 'Cleo', lastName: 'Okafor' });
    const invoices: InvoiceRecord[] = [];
    for (const [customer, amount] of [
      [acme, 100],
      [acme, 250.5],
      [acme, 70],
      [brandt, 310],
      [brandt, 40],
      [other, 512.34],
      [other, 900],
      [other, 35],
    ] as const)
      invoices.push(await sendInvoice(fixture, customer, amount));
    const numbers = invoices.map(({ number }) => number);
    const [exact, partial, typo, sum, sumToo, byAmount, over, twice] = numbers as [
      string,
      string,
      string,
      string,
      string,
      string,
      string,
      string,
    ];
    // The last digit but one is wrong.
    const misspelled = typo.replace(/\d(\d)$/, (_, last) => `9${last}`);
    const lines = await importLines(fixture, shop, [
      credit(10_000, `ACH CREDIT ${exact}`),
      credit(20_000, `TRANSFER INVOICE NO ${Number(partial.slice(4))} PART ONE`),
      credit(7_000, `PAYMENT ${misspelled}`),
      credit(35_000, 'SEPA CREDIT BRANDT INES'),
      credit(51_234, 'INCOMING TRANSFER'),
      credit(95_000, `WIRE ${over.replace('-', '')} THANK YOU`),
      credit(3_500, `ZELLE ${twice}`),
      credit(3_500, `ZELLE ${twice} AGAIN`),
      credit(77_777, 'UNKNOWN MONEY'),
    ]);
    expect(reasonsOf(lines)).toEqual([
      ['invoice_number', [exact, 100]],
      ['invoice_number', [partial, 200]],
      ['invoice_typo', [typo, 70]],
      ['customer_name', [sum, 310], [sumToo, 40]],
      ['invoice_amount', [byAmount, 512.34]],
      ['invoice_number', [over, 900]],
      ['invoice_number', [twice, 35]],
      ['duplicate'],
      [undefined],
    ]);
    expect(lines[7]?.suggestion?.otherLineId).toBe(lines[6]?.lineId);
    for (const line of lines.slice(0, 7)) await expectData(matchBankLine(fixture, line.lineId, suggestedParts(line)));
    const paid = await Promise.all(invoices.map(({ invoiceId }) => getInvoice(fixture, invoiceId)));
    expect(paid.map(({ status, amountDue }) => [status, amountDue])).toEqual([
      ['paid', 0],
      ['partially_paid', 50.5],
      ['paid', 0],
      ['paid', 0],
      ['paid', 0],
      ['paid', 0],
      ['paid', 0],
      ['paid', 0],
    ]);
    // The overpaid part stays open on its line.
    const rest = (await listBankLines(fixture, shop, 'state=open')).find(({ lineId }) => lineId === lines[5]?.lineId);
    expect(rest).toMatchObject({ state: 'open', remaining: 50 });

    // The confirmed line of Ines Brandt teaches who pays, so that a later part without a number is recognized.
    const next = await sendInvoice(fixture, brandt, 88);
    const [later] = (await importLines(fixture, shop, [credit(3_300, 'SEPA CREDIT BRANDT INES 0042')])).slice(-1) as [BankLineRecord];
    const suggested = await until('the former payer is recognized', async () => {
      const line = await expectData(fixture.api.admin.get<BankLineRecord>(`/settlement/bank-lines/${later.lineId}`));
      return line.suggestion ? line : undefined;
    });
    expect(suggested.suggestion).toMatchObject({
      reason: 'former_payer',
      ruleText: 'BRANDT INES',
      parts: [{ invoice: { number: next.number }, amount: 33 }],
    });
    const rules = await expectData(
      fixture.api.admin.get<{ ruleId: string; kind: string; contains: string; customer: { name: string } | null }[]>(
        `/settlement/bank-rules?merchantId=${shop.merchantId}`,
      ),
    );
    expect(rules.find(({ ruleId }) => ruleId === suggested.suggestion?.ruleId)).toMatchObject({
      kind: 'invoice',
      contains: 'BRANDT INES',
      customer: { name: 'Ines Brandt' },
    });
  });
});

onAnyDatabase('takes back what a match taught and what it made forget when it is undone', async (fixture) => {
  const shop = await createBankShop(fixture);
  const invoice = await sendInvoice(fixture, await customerOf(fixture, shop), 120);
  const rules = async () =>
    (
      await expectData(fixture.api.admin.get<{ kind: string; contains: string }[]>(`/settlement/bank-rules?merchantId=${shop.merchantId}`))
    ).map(({ kind, contains }) => [kind, contains]);
  const [paid, other] = (await importLines(fixture, shop, [
    credit(12_000, `SEPA CREDIT NORDWIND SHIPPING ${invoice.number}`),
    credit(500, 'SEPA CREDIT NORDWIND SHIPPING 0099'),
  ])) as [BankLineRecord, BankLineRecord];
  await expectData(matchBankLine(fixture, paid.lineId, [{ kind: 'invoice', invoiceId: invoice.invoiceId }]));
  const payer = ['invoice', 'NORDWIND SHIPPING'];
  expect(await rules()).toEqual([payer]);
  await expectData(undoBankMatch(fixture, paid.lineId));
  expect(await rules()).toEqual([]);
  await expectData(matchBankLine(fixture, paid.lineId, [{ kind: 'invoice', invoiceId: invoice.invoiceId }]));
  await expectData(matchBankLine(fixture, other.lineId, [{ kind: 'ignore' }]));
  expect(await rules()).toEqual([['ignore', 'SEPA CREDIT NORDWIND SHIPPING']]);
  await expectData(undoBankMatch(fixture, other.lineId));
  expect(await rules()).toEqual([payer]);
});

describe('paying an invoice by a bank line', () => {
  onAnyDatabase(
    'records the payment, closes the invoice, posts the ledger and counts in the close; undoing restores everything',
    async (fixture) => {
      const { api } = fixture;
      const shop = await createBankShop(fixture);
      const customer = await customerOf(fixture, shop);
      const invoice = await sendInvoice(fixture, customer, 120, { taxAmount: 20 });
      const [line] = (await importLines(fixture, shop, [credit(12_000, `TRANSFER ${invoice.number}`)])) as [BankLineRecord];
      const { line: matched } = await expectData(matchBankLine(fixture, line.lineId, suggestedParts(line)));
      expect(matched).toMatchObject({ state: 'matched', matches: [{ kind: 'invoice', amount: 120, invoice: { number: invoice.number } }] });
      const paid = await getInvoice(fixture, invoice.invoiceId);
      expect(paid).toMatchObject({
        status: 'paid',
        payments: [{ method: 'bank_transfer', status: 'succeeded', amount: 120, taxAmount: 20, reference: line.reference }],
      });
      const tender = async () =>
        (await expectData(api.admin.get<TenderRecord[]>(`/tenders?merchantId=${shop.merchantId}`)))[0] as TenderRecord;
      expect(await tender()).toMatchObject({
        kind: 'other',
        name: 'Bank transfer',
        amount: 120,
        shiftId: null,
        invoiceId: invoice.invoiceId,
      });
      expect(await accountsOf(fixture, shop)).toMatchObject({ bank: -120, tendersDeposited: 120, otherTenders: 120, tenderSales: -120 });
      expect(await bankFigure(fixture, shop, `date=${today()}`)).toMatchObject({ ledger: 120, bank: 120, difference: 0 });

      await expectData(undoBankMatch(fixture, line.lineId));
      expect(await getInvoice(fixture, invoice.invoiceId)).toMatchObject({
        status: 'sent',
        amountDue: 120,
        payments: [{ status: 'voided', declineReason: 'The match with the bank line was undone.' }],
      });
      expect(await tender()).toMatchObject({ status: 'returned' });
      expect(await accountsOf(fixture, shop)).toMatchObject({ bank: 0, tendersDeposited: 0, otherTenders: 0, tenderSales: 0, taxes: 0 });
      expect(await bankFigure(fixture, shop, `date=${today()}`)).toMatchObject({ ledger: 0, bank: 120, difference: -120 });
      const open = await expectData(api.admin.get<BankLineRecord>(`/settlement/bank-lines/${line.lineId}`));
      expect(open).toMatchObject({ state: 'open', remaining: 120, matches: [] });
      // The same line pays the invoice again.
      await expectData(matchBankLine(fixture, line.lineId, [{ kind: 'invoice', invoiceId: invoice.invoiceId }]));
      expect(await getInvoice(fixture, invoice.invoiceId)).toMatchObject({ status: 'paid' });
      expect(await expectData(api.admin.get(`/settlement/ledger?merchantId=${shop.merchantId}`))).toMatchObject({ balanced: true });
    },
  );

  onBothDatabases('pays once when ten requests confirm one line, and when two lines name one invoice', async (fixture) => {
    const shop = await createBankShop(fixture);
    const customer = await customerOf(fixture, shop);
    const invoice = await sendInvoice(fixture, customer, 60);
    const lines = await importLines(fixture, shop, [credit(6_000, 'FIRST'), credit(6_000, 'SECOND')]);
    const [first, second] = lines as [BankLineRecord, BankLineRecord];
    const parts = [{ kind: 'invoice', invoiceId: invoice.invoiceId }];
    const answers = await Promise.all(Array.from({ length: 10 }, () => matchBankLine(fixture, first.lineId, parts)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(9).fill(409)]);
    await expectData(undoBankMatch(fixture, first.lineId));
    const both = await Promise.all([first, second].map(({ lineId }) => matchBankLine(fixture, lineId, parts)));
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const { payments } = await getInvoice(fixture, invoice.invoiceId);
    expect(payments.filter(({ status }) => status === 'succeeded')).toHaveLength(1);
    expect(await accountsOf(fixture, shop)).toMatchObject({ bank: -60, tenderSales: -60 });
  });

  onAnyDatabase('refuses an invoice that was paid by card or canceled after the suggestion, and names it', async (fixture) => {
    const { api } = fixture;
    const shop = await createBankShop(fixture);
    const customer = await customerOf(fixture, shop);
    const [paid, canceled, partly] = [
      await sendInvoice(fixture, customer, 31),
      await sendInvoice(fixture, customer, 32),
      await sendInvoice(fixture, customer, 33),
    ];
    const lines = await importLines(
      fixture,
      shop,
      [paid, canceled, partly].map(({ number, amount }) => credit(amount * 100, `TRANSFER ${number}`)),
    );
    await expectData(payInvoice(fixture, paid.invoiceId, cardPaymentBody(CARDS.visa, { amount: 31 })));
    await expectData(api.admin.post(`/invoices/${canceled.invoiceId}/cancel`, {}));
    await expectData(payInvoice(fixture, partly.invoiceId, { amount: 3 }));
    const confirm = (index: number, status: number, code: string) => {
      const line = lines[index] as BankLineRecord;
      return expectError(matchBankLine(fixture, line.lineId, suggestedParts(line)), status, code);
    };
    const error = await confirm(0, 409, 'RESOURCE_CONFLICT');
    expect(error.message).toBe(`Invoice ${paid.number} was paid in the meantime. Match the bank line otherwise.`);
    expect(error.details).toMatchObject({ reason: 'invoice_paid', invoiceId: paid.invoiceId });
    expect((await confirm(1, 409, 'RESOURCE_CONFLICT')).details).toMatchObject({ reason: 'invoice_canceled' });
    expect((await confirm(2, 422, 'INVALID_AMOUNT')).details).toMatchObject({ availableToMatch: 30 });
    expect(await accountsOf(fixture, shop)).toMatchObject({ bank: 0 });
    // The suggestions follow: the line of the paid invoice may be a second payment, and the other one with what is due.
    await until('the suggestions are computed again', async () => {
      const open = (await listBankLines(fixture, shop, 'state=open')).toReversed();
      return open[0]?.suggestion?.reason === 'duplicate' && open[2]?.suggestion?.parts[0]?.amount === 30;
    });
  });

  onAnyDatabase('books a line of the last day of a month in that month, and cannot be undone once it is closed', async (fixture) => {
    const { api } = fixture;
    // The shop is a day ahead of UTC in the evening, and the bank behind it.
    const merchantId = await createMerchant(fixture, { timezone: 'Pacific/Auckland' });
    const body = { merchantId, name: 'Checking', accountNumber: '9876543210' };
    const shop = { merchantId, ...(await expectData(api.admin.post<{ bankAccountId: string }>('/settlement/bank-accounts', body), 201)) };
    const invoice = await sendInvoice(fixture, await customerOf(fixture, shop), 77);
    const [line] = (await importLines(fixture, shop, [credit(7_700, `TRANSFER ${invoice.number}`, '2026-02-28')])) as [BankLineRecord];
    await expectData(matchBankLine(fixture, line.lineId, suggestedParts(line)));
    expect(await bankFigure(fixture, shop, 'month=2026-02')).toMatchObject({ ledger: 77, bank: 77, difference: 0 });
    expect(await expectData(api.admin.post('/settlement/close', { merchantId, date: '2026-02' }))).toMatchObject({ closed: true });
    const error = await expectError(undoBankMatch(fixture, line.lineId), 409, 'RESOURCE_CONFLICT');
    expect(error.details).toEqual({ period: '2026-02' });
    expect(await getInvoice(fixture, invoice.invoiceId)).toMatchObject({ status: 'paid' });
    const journal = await api.admin.get(`/reporting/journal?startDate=2026-02-01&endDate=2026-02-28&merchantId=${merchantId}&format=csv`);
    expect(journal.text).toMatch(/,bank_invoice,bln_\w+,,USD,bank,1000,Assets:Bank,77\.00,,/);
    expect(journal.text).toMatch(/,bank_invoice,bln_\w+,,USD,other_tenders,1040,Assets:Other-Tenders,,77\.00,/);
  });

  onAnyDatabase('continues the reminders of an invoice whose part was paid by a line, when the match is undone', async (fixture) => {
    const shop = await createBankShop(fixture);
    const invoice = await sendInvoice(fixture, await customerOf(fixture, shop), 80);
    const stopped = async () =>
      ((await getInvoice(fixture, invoice.invoiceId)) as unknown as { remindersStopped: unknown }).remindersStopped;
    const [line] = (await importLines(fixture, shop, [credit(3_000, `TRANSFER ${invoice.number}`)])) as [BankLineRecord];
    await expectData(matchBankLine(fixture, line.lineId, suggestedParts(line)));
    expect(await stopped()).toMatchObject({ reason: 'payment' });
    await expectData(undoBankMatch(fixture, line.lineId));
    expect(await stopped()).toBeNull();
  });

  onAnyDatabase('undoes no match whose payment was refunded', async (fixture) => {
    const { api } = fixture;
    const shop = await createBankShop(fixture);
    const invoice = await sendInvoice(fixture, await customerOf(fixture, shop), 45);
    const [line] = (await importLines(fixture, shop, [credit(4_500, `TRANSFER ${invoice.number}`)])) as [BankLineRecord];
    await expectData(matchBankLine(fixture, line.lineId, suggestedParts(line)));
    const [tender] = await expectData(api.admin.get<TenderRecord[]>(`/tenders?merchantId=${shop.merchantId}`));
    await expectData(api.admin.post(`/tenders/${tender?.tenderId}/refund`, { amount: 5 }), 201);
    const error = await expectError(undoBankMatch(fixture, line.lineId), 409, 'RESOURCE_CONFLICT');
    expect(error.details).toMatchObject({ reason: 'refunded' });
    expect(await getInvoice(fixture, invoice.invoiceId)).toMatchObject({ status: 'paid' });
  });

  onAnyDatabase('rejects people and keys without both permissions, other merchants, and invoices of other merchants', async (fixture) => {
    const { api } = fixture;
    const shop = await createBankShop(fixture);
    const stranger = await createMerchant(fixture, { timezone: 'UTC' });
    const own = await sendInvoice(fixture, await customerOf(fixture, shop), 20);
    const foreign = await sendInvoice(fixture, await createCustomer(fixture, { merchantId: stranger }), 20);
    const [line] = (await importLines(fixture, shop, [credit(2_000, `TRANSFER ${own.number}`)])) as [BankLineRecord];
    const parts = [{ kind: 'invoice', invoiceId: own.invoiceId }];
    const cashier = await createUser(fixture, 'cashier', {}, shop.merchantId);
    await expectError(matchBankLine(fixture, line.lineId, parts, cashier.headers), 403, 'PERMISSION_DENIED');
    const manager = await createUser(fixture, 'manager', {}, stranger);
    await expectError(matchBankLine(fixture, line.lineId, parts, manager.headers), 403, 'MERCHANT_NOT_AUTHORIZED');
    await expectError(undoBankMatch(fixture, line.lineId, manager.headers), 403, 'MERCHANT_NOT_AUTHORIZED');
    await expectError(matchBankLine(fixture, line.lineId, [{ kind: 'invoice', invoiceId: foreign.invoiceId }]), 404, 'INVOICE_NOT_FOUND');
    await expectData(api.admin.post('/roles', { name: 'Statements only', permissions: ['settlement:read', 'settlement:write'] }), 201);
    const clerk = await createUser(fixture, 'Statements only', {}, shop.merchantId);
    await expectError(matchBankLine(fixture, line.lineId, parts, clerk.headers), 403, 'PERMISSION_DENIED');
    // Without the permission for invoices, the suggestion names no invoice and no customer.
    const seen = await api.admin.get(`/settlement/bank-lines/${line.lineId}`, clerk.headers);
    expect(seen.status).toBe(200);
    expect(seen.text).not.toContain(own.invoiceId);
    const accountant = await createUser(fixture, 'accountant', {}, shop.merchantId);
    await expectData(matchBankLine(fixture, line.lineId, parts, accountant.headers));
    expect(await getInvoice(fixture, own.invoiceId)).toMatchObject({ status: 'paid' });
  });
});

onAnyDatabase('undoes one of several matches of a line, and never a newer one', async (fixture) => {
  const { api } = fixture;
  const shop = await createBankShop(fixture);
  const customer = await customerOf(fixture, shop);
  const first = await sendInvoice(fixture, customer, 90);
  const second = await sendInvoice(fixture, customer, 10);
  const [line] = (await importLines(fixture, shop, [credit(10_000, 'SOMETHING')])) as [BankLineRecord];
  const match = (invoiceId: string, amount: number) =>
    expectData(
      api.admin.post<{ matchIds: string[] }>(`/settlement/bank-lines/${line.lineId}/match`, {
        parts: [{ kind: 'invoice', invoiceId, amount }],
      }),
    );
  const undo = (matchIds: readonly string[]) =>
    api.admin.delete<{ line: BankLineRecord }>(`/settlement/bank-lines/${line.lineId}/match?matchIds=${matchIds.join(',')}`);
  const kept = await match(first.invoiceId, 90);
  const wrong = await match(second.invoiceId, 10);
  expect((await expectData(undo(wrong.matchIds))).line).toMatchObject({ state: 'open', remaining: 10 });
  expect((await getInvoice(fixture, first.invoiceId)).status).toBe('paid');
  expect((await getInvoice(fixture, second.invoiceId)).amountDue).toBe(10);
  const again = await match(second.invoiceId, 10);
  await expectError(undo(wrong.matchIds), 409, 'RESOURCE_CONFLICT');
  const all = await expectData(undo([...kept.matchIds, ...again.matchIds]));
  expect(all.line).toMatchObject({ state: 'open', remaining: 100, matches: [] });
});

describe('matching many lines with one request', () => {
  const matchAll = ({ api }: ApiFixture, matches: readonly object[], headers?: Record<string, string>) =>
    api.admin.post<{ lineId: string; matchIds: string[]; error: { code: string; details: object | null } | null }[]>(
      '/settlement/bank-lines/matches',
      { matches },
      headers,
    );

  onBothDatabases('pays each invoice once when ten requests have the same lines, and a failure prevents no other line', async (fixture) => {
    const shop = await createBankShop(fixture);
    const customer = await customerOf(fixture, shop);
    const invoices: InvoiceRecord[] = [];
    for (const amount of [31, 32, 33]) invoices.push(await sendInvoice(fixture, customer, amount));
    const lines = await importLines(
      fixture,
      shop,
      invoices.map(({ number, amount }) => credit(amount * 100, `WIRE ${number}`)),
    );
    const matches = lines.map((line) => ({ lineId: line.lineId, parts: suggestedParts(line) }));
    // The second invoice is paid in the meantime.
    await payInvoice(fixture, invoices[1]?.invoiceId as string, { paymentMethod: 'other', reference: 'Voucher' });
    const answers = await Promise.all(Array.from({ length: 10 }, () => expectData(matchAll(fixture, matches))));
    const matched = answers.flat().filter(({ error }) => error === null);
    expect(matched.map(({ lineId }) => lineId).toSorted()).toEqual([lines[0]?.lineId, lines[2]?.lineId].toSorted());
    expect(answers[0]?.[1]).toMatchObject({ matchIds: [], error: { code: 'RESOURCE_CONFLICT', details: { reason: 'invoice_paid' } } });
    expect(await accountsOf(fixture, shop)).toMatchObject({ bank: -64, tendersDeposited: 64 });
    const { payments } = await getInvoice(fixture, invoices[0]?.invoiceId as string);
    expect(payments.filter(({ status }) => status === 'succeeded')).toHaveLength(1);
  });

  onAnyDatabase(
    'repeats its response for a key, and refuses repeated lines, other merchants and people without invoices',
    async (fixture) => {
      const { api } = fixture;
      const shop = await createBankShop(fixture);
      const invoice = await sendInvoice(fixture, await customerOf(fixture, shop), 100);
      const [line] = (await importLines(fixture, shop, [credit(10_000, `WIRE ${invoice.number}`)])) as [BankLineRecord];
      const match = { lineId: line.lineId, parts: [{ kind: 'fee', amount: 10 }] };
      const key = { 'Idempotency-Key': 'many-lines-once' };
      const first = await matchAll(fixture, [match], key);
      expect((await matchAll(fixture, [match], key)).text).toBe(first.text);
      expect((await expectData(api.admin.get<BankLineRecord>(`/settlement/bank-lines/${line.lineId}`))).remaining).toBe(90);
      await expectError(matchAll(fixture, [match, match]), 400, 'VALIDATION_ERROR');
      const stranger = await createUser(fixture, 'manager', {}, await createMerchant(fixture, { timezone: 'UTC' }));
      const refused = await expectData(matchAll(fixture, [match], stranger.headers));
      expect(refused[0]?.error).toMatchObject({ code: 'MERCHANT_NOT_AUTHORIZED' });
      const cashier = await createUser(fixture, 'cashier', {}, shop.merchantId);
      await expectError(matchAll(fixture, [match], cashier.headers), 403, 'PERMISSION_DENIED');
      await expectData(api.admin.post('/roles', { name: 'Lines only', permissions: ['settlement:read', 'settlement:write'] }), 201);
      const clerk = await createUser(fixture, 'Lines only', {}, shop.merchantId);
      const pays = { lineId: line.lineId, parts: [{ kind: 'invoice', invoiceId: invoice.invoiceId, amount: 90 }] };
      expect((await expectData(matchAll(fixture, [pays], clerk.headers)))[0]?.error).toMatchObject({ code: 'PERMISSION_DENIED' });
    },
  );
});

onAnyDatabase('keeps a learned rule while another match teaches it', async (fixture) => {
  const shop = await createBankShop(fixture);
  const customer = await customerOf(fixture, shop);
  const [first, second] = [await sendInvoice(fixture, customer, 120), await sendInvoice(fixture, customer, 130)];
  const rules = async () =>
    (await expectData(fixture.api.admin.get<{ contains: string }[]>(`/settlement/bank-rules?merchantId=${shop.merchantId}`)))
      .map(({ contains }) => contains)
      .toSorted();
  const [paid, paidLater, fee, feeLater] = (await importLines(fixture, shop, [
    credit(12_000, `SEPA CREDIT NORDWIND SHIPPING ${first.number}`),
    credit(13_000, `SEPA CREDIT NORDWIND SHIPPING ${second.number}`),
    credit(-500, 'ACME PROCESSING FEE 1'),
    credit(-600, 'ACME PROCESSING FEE 2'),
  ])) as [BankLineRecord, BankLineRecord, BankLineRecord, BankLineRecord];
  await expectData(matchBankLine(fixture, paid.lineId, [{ kind: 'invoice', invoiceId: first.invoiceId }]));
  await expectData(matchBankLine(fixture, paidLater.lineId, [{ kind: 'invoice', invoiceId: second.invoiceId }]));
  for (const { lineId } of [fee, feeLater]) await expectData(matchBankLine(fixture, lineId, [{ kind: 'fee' }]));
  const both = ['ACME PROCESSING FEE', 'NORDWIND SHIPPING'];
  expect(await rules()).toEqual(both);
  for (const { lineId } of [paid, fee]) await expectData(undoBankMatch(fixture, lineId));
  expect(await rules()).toEqual(both);
  for (const { lineId } of [paidLater, feeLater]) await expectData(undoBankMatch(fixture, lineId));
  expect(await rules()).toEqual([]);
});
