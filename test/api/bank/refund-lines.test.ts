import { expect } from 'vitest';
import {
  type BankLineRecord,
  type BankShop,
  createBankShop,
  importLines,
  listBankLines,
  matchBankLine,
  suggestedParts,
  undoBankMatch,
} from '../../support/bank.ts';
import { accountsOf, bankFigure, credit, customerOf, sendInvoice, today } from '../../support/bank-invoices.ts';
import { getInvoice } from '../../support/invoices.ts';
import { type ApiFixture, expectData, expectError, onAnyDatabase, onBothDatabases } from '../../support/server.ts';
import { createMerchant } from '../../support/settlements.ts';
import { type TenderRecord, takeTender } from '../../support/tenders.ts';
import { until } from '../../support/until.ts';
import { createUser } from '../../support/users.ts';

/** A paid invoice of a shop whose payment was a bank transfer. */
async function paidByTransfer(fixture: ApiFixture, shop: BankShop, amount: number) {
  const customer = await customerOf(fixture, shop, { company: 'Alder Boats LLC' });
  const invoice = await sendInvoice(fixture, customer, amount);
  const lines = await importLines(fixture, shop, [credit(amount * 100, `TRANSFER ${invoice.number}`)]);
  const line = lines.find(({ text }) => text.includes(invoice.number)) as BankLineRecord;
  await expectData(matchBankLine(fixture, line.lineId, suggestedParts(line)));
  const tenders = await expectData(fixture.api.admin.get<TenderRecord[]>(`/tenders?merchantId=${shop.merchantId}`));
  const tender = tenders.find(({ invoiceId }) => invoiceId === invoice.invoiceId) as TenderRecord;
  return { customer, invoice, line, tender };
}

const refund = ({ api }: ApiFixture, tenderId: string, amount: number) =>
  expectData(
    api.admin.post<{ refundId: string; number: string }>(`/tenders/${tenderId}/refund`, { amount, reason: 'Returned goods' }),
    201,
  );

/** Returns the suggested line of a debit. */
const suggestedLine = (fixture: ApiFixture, shop: BankShop, text: string) =>
  until('the refund is suggested', async () => {
    const lines = await listBankLines(fixture, shop, 'state=open');
    return lines.find((line) => line.text === text && line.suggestion?.reason === 'refund');
  });

onBothDatabases('matches the debit of a refunded bank transfer once, in ledger, journal, statement and close', async (fixture) => {
  const { api } = fixture;
  const shop = await createBankShop(fixture);
  const { customer, invoice, line, tender } = await paidByTransfer(fixture, shop, 100);
  // The bank books the transfer before the refund is recorded.
  const [debit] = (await importLines(fixture, shop, [credit(-4_000, `TRANSFER TO ALDER BOATS REFUND ${invoice.number}`)])) as [
    BankLineRecord,
  ];
  expect(debit.suggestion).toBeNull();
  const { refundId, number } = await refund(fixture, tender.tenderId, 40);
  const suggested = await suggestedLine(fixture, shop, debit.text);
  expect(suggested.suggestion).toMatchObject({
    ambiguous: false,
    parts: [{ kind: 'refund', amount: -40, deposit: { refundId, label: number, shiftId: null, tenderId: null } }],
  });
  const open = () =>
    expectData(
      api.admin.get<{ refundId: string; remaining: number }[]>(`/settlement/bank-deposits?merchantId=${shop.merchantId}&returned=true`),
    );
  expect(await open()).toMatchObject([{ refundId, label: number, remaining: 40 }]);

  const parts = suggestedParts(suggested);
  const answers = await Promise.all(Array.from({ length: 10 }, () => matchBankLine(fixture, debit.lineId, parts)));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(9).fill(409)]);
  expect(await open()).toEqual([]);
  expect(await accountsOf(fixture, shop)).toMatchObject({ bank: -60, tendersDeposited: 60, otherTenders: 60, tenderSales: -60 });
  expect(await bankFigure(fixture, shop, `date=${today()}`)).toMatchObject({ ledger: 60, bank: 60, difference: 0 });
  const journal = await api.admin.get(
    `/reporting/journal?startDate=${today()}&endDate=${today()}&merchantId=${shop.merchantId}&format=csv`,
  );
  expect(journal.text).toMatch(/,bank_refund,bln_\w+,,USD,other_tenders,1040,Assets:Other-Tenders,40\.00,,/);
  expect(journal.text).toMatch(/,bank_refund,bln_\w+,,USD,bank,1000,Assets:Bank,,40\.00,/);
  const statement = await expectData(
    api.admin.get<{ currencies: { received: number; paidOut: number; closing: number }[] }>(
      `/customers/${customer.customerId}/statement?startDate=${today()}&endDate=${today()}`,
    ),
  );
  expect(JSON.stringify(statement)).toContain('"paidOut":40');
  expect(await getInvoice(fixture, invoice.invoiceId)).toMatchObject({ status: 'paid' });

  // The deposit of the invoice cannot be undone before its refund, and the match of the refund can.
  expect((await expectError(undoBankMatch(fixture, line.lineId), 409, 'RESOURCE_CONFLICT')).details).toMatchObject({ reason: 'refunded' });
  await expectData(undoBankMatch(fixture, debit.lineId));
  expect(await accountsOf(fixture, shop)).toMatchObject({ bank: -100, tendersDeposited: 100, otherTenders: 60 });
  expect(await open()).toMatchObject([{ refundId, remaining: 40 }]);
  await suggestedLine(fixture, shop, debit.text);
});

onAnyDatabase('pays a refund by several debits, and never more than it', async (fixture) => {
  const shop = await createBankShop(fixture);
  const { tender } = await paidByTransfer(fixture, shop, 100);
  const { refundId } = await refund(fixture, tender.tenderId, 100);
  const [first, second] = (await importLines(fixture, shop, [credit(-7_000, 'PART ONE'), credit(-7_000, 'PART TWO')])) as [
    BankLineRecord,
    BankLineRecord,
  ];
  await expectData(matchBankLine(fixture, first.lineId, [{ kind: 'refund', refundId }]));
  const above = await expectError(matchBankLine(fixture, second.lineId, [{ kind: 'refund', refundId }]), 422, 'INVALID_AMOUNT');
  expect(above.details).toMatchObject({ availableToMatch: 30 });
  await expectData(
    matchBankLine(fixture, second.lineId, [
      { kind: 'refund', refundId, amount: 30 },
      { kind: 'own', amount: 40 },
    ]),
  );
  expect(await accountsOf(fixture, shop)).toMatchObject({ bank: 0, tendersDeposited: 0, otherTenders: 0 });
});

onAnyDatabase('matches no refund of cash, of another merchant or to store credit, and no credit of the bank', async (fixture) => {
  const { api } = fixture;
  const shop = await createBankShop(fixture);
  const { tender, customer } = await paidByTransfer(fixture, shop, 50);
  const { merchantId } = shop;
  const cash = await takeTender(fixture, 20, { merchantId });
  const ofCash = await refund(fixture, cash.tenderId, 20);
  const [debit, incoming] = (await importLines(fixture, shop, [credit(-2_000, 'TRANSFER'), credit(2_000, 'RECEIVED')])) as [
    BankLineRecord,
    BankLineRecord,
  ];
  const match = (lineId: string, refundId: string, status: number, code: string, headers?: Record<string, string>) =>
    expectError(matchBankLine(fixture, lineId, [{ kind: 'refund', refundId }], headers), status, code);
  expect((await match(debit.lineId, ofCash.refundId, 409, 'RESOURCE_CONFLICT')).details).toMatchObject({ reason: 'not_a_transfer' });
  await match(debit.lineId, 'trf_unknown', 404, 'NOT_FOUND');
  await expectData(api.admin.post('/gift-cards/refund', { paymentId: tender.tenderId, amount: 10, customerId: customer.customerId }), 201);
  const detail = await expectData(api.admin.get<{ refunds: { refundId: string }[] }>(`/tenders/${tender.tenderId}`));
  const credited = await match(debit.lineId, detail.refunds[0]?.refundId ?? '', 409, 'RESOURCE_CONFLICT');
  expect(credited.details).toMatchObject({ reason: 'not_a_transfer' });
  const { refundId } = await refund(fixture, tender.tenderId, 20);
  await match(incoming.lineId, refundId, 400, 'VALIDATION_ERROR');
  const cashier = await createUser(fixture, 'cashier', {}, merchantId);
  await match(debit.lineId, refundId, 403, 'PERMISSION_DENIED', cashier.headers);
  const strangers = await createMerchant(fixture, { timezone: 'UTC' });
  const manager = await createUser(fixture, 'manager', {}, strangers);
  await match(debit.lineId, refundId, 403, 'MERCHANT_NOT_AUTHORIZED', manager.headers);
  const other = await createBankShop(fixture);
  const [foreign] = (await importLines(fixture, other, [credit(-2_000, 'TRANSFER')])) as [BankLineRecord];
  await match(foreign.lineId, refundId, 404, 'NOT_FOUND');
});
