import { expect, vi } from 'vitest';
import { createBankShop, importLines, listBankLines, payOut } from '../../support/bank.ts';
import { customerOf, sendInvoice } from '../../support/bank-invoices.ts';
import { type ApiFixture, expectData, onBothDatabases } from '../../support/server.ts';

const DAY_MS = 86_400_000;
/** More than the weeks before new lines whose suggestions an import computes again. */
const LATER_DAYS = 60;

const dayAfter = (time: string | number, days: number) => new Date(new Date(time).getTime() + days * DAY_MS).toISOString().slice(0, 10);
const minorOf = (amount: number) => Math.round(amount * 100);
const lineOf = async (fixture: ApiFixture, shop: Awaited<ReturnType<typeof createBankShop>>, reference: string) =>
  (await listBankLines(fixture, shop, 'state=open')).find((line) => line.reference === reference);

onBothDatabases('keeps what is suggested for old lines when new ones are imported, and does not suggest it again', async (fixture) => {
  const shop = await createBankShop(fixture);
  const invoice = await sendInvoice(fixture, await customerOf(fixture, shop, { firstName: 'Ines', lastName: 'Brandt' }), 310);
  const payout = await payOut(fixture, shop, 410.25);
  const paid = { minor: minorOf(payout.amount), text: 'TRANSFER' };
  await importLines(fixture, shop, [
    { ...paid, day: dayAfter(payout.paidAt, 1), reference: 'PA' },
    { day: dayAfter(payout.paidAt, 1), minor: 31_000, text: 'TRANSFER', reference: 'IA' },
  ]);
  await expectData(fixture.api.admin.post('/sandbox/clock', { advanceSeconds: (LATER_DAYS + 1) * 86_400 }));
  const later = dayAfter(payout.paidAt, LATER_DAYS);
  await importLines(fixture, shop, [
    { ...paid, day: later, reference: 'PB' },
    { day: later, minor: 31_000, text: 'TRANSFER', reference: 'IB' },
  ]);
  expect((await lineOf(fixture, shop, 'PA'))?.suggestion).toMatchObject({
    reason: 'amount',
    parts: [{ payout: { payoutId: payout.payoutId } }],
  });
  expect((await lineOf(fixture, shop, 'IA'))?.suggestion).toMatchObject({
    reason: 'invoice_amount',
    parts: [{ invoice: { invoiceId: invoice.invoiceId } }],
  });
  expect((await lineOf(fixture, shop, 'PB'))?.suggestion).toBeNull();
  expect((await lineOf(fixture, shop, 'IB'))?.suggestion).toBeNull();
});

onBothDatabases('gives a payout and an invoice to the new lines that name them, though old lines had their amounts', async (fixture) => {
  const shop = await createBankShop(fixture);
  const invoice = await sendInvoice(fixture, await customerOf(fixture, shop, { firstName: 'Ines', lastName: 'Brandt' }), 310);
  const payout = await payOut(fixture, shop, 410.25);
  const minor = minorOf(payout.amount);
  await importLines(fixture, shop, [
    { day: dayAfter(payout.paidAt, 1), minor, text: 'TRANSFER', reference: 'PA' },
    { day: dayAfter(payout.paidAt, 1), minor: 31_000, text: 'TRANSFER', reference: 'IA' },
  ]);
  await expectData(fixture.api.admin.post('/sandbox/clock', { advanceSeconds: (LATER_DAYS + 1) * 86_400 }));
  const later = dayAfter(payout.paidAt, LATER_DAYS);
  await importLines(fixture, shop, [
    { day: later, minor, text: `PAYOUT ${payout.reference}`, reference: 'PB' },
    { day: later, minor: 31_000, text: `PAYMENT ${invoice.number}`, reference: 'IB' },
  ]);
  await vi.waitFor(async () => {
    expect((await lineOf(fixture, shop, 'PB'))?.suggestion).toMatchObject({
      reason: 'reference',
      parts: [{ payout: { payoutId: payout.payoutId } }],
    });
    expect((await lineOf(fixture, shop, 'PA'))?.suggestion).toBeNull();
    expect((await lineOf(fixture, shop, 'IB'))?.suggestion).toMatchObject({
      reason: 'invoice_number',
      parts: [{ invoice: { invoiceId: invoice.invoiceId } }],
    });
    expect((await lineOf(fixture, shop, 'IA'))?.suggestion).toBeNull();
  }, 50_000);
});
