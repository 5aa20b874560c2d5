import { expect, test } from 'vitest';
import { getInvoice } from '../../support/invoices.ts';
import type { TransactionRecord } from '../../support/sales.ts';
import { describeOnAnyDatabase, expectData, expectError } from '../../support/server.ts';
import { allowSurcharges } from '../../support/settlements.ts';
import { CARD_FORM, createInvoicePage, createLinkPage, openPage, pay, prefilledFields, submitForm } from './pay-page-client.ts';

interface TipReport {
  readonly total: number;
  readonly people: readonly { readonly person: string | null; readonly tips: number }[];
}

describeOnAnyDatabase('tips on the pay page', (fixture) => {
  const settings = (change: object) =>
    fixture().api.admin.put(`/merchants/${fixture().credentials.merchantId}/amount-settings`, { surchargePercent: 0, ...change });
  const offerTips = () => expectData(settings({ pageTips: 'links', tipPercents: [15, 18, 20], tipCustomAmount: true }));
  const transaction = (id: string | null | undefined) => expectData(fixture().api.admin.get<TransactionRecord>(`/transactions/${id}`));
  const firstPayment = async (invoiceId: string) => (await getInvoice(fixture(), invoiceId)).payments[0];

  test('charges a suggested tip in addition to the amount due, and shows it on page, receipt and reports', async () => {
    await offerTips();
    const { path, invoiceId } = await createLinkPage(fixture(), { amount: 33.37 });
    const opened = await openPage(fixture(), path);
    for (const text of ['No tip', '15%', '5.01 USD', '18%', '6.01 USD', '20%', '6.67 USD', 'Other amount'])
      expect(opened.text).toContain(text);
    const { after } = await pay(fixture(), path, { tip: '18' });
    for (const text of ['39.38 USD', '<dt>Tip</dt><dd>6.01 USD</dd>']) expect(after.text).toContain(text);
    expect(await getInvoice(fixture(), invoiceId)).toMatchObject({ status: 'paid', amountPaid: 33.37, amountDue: 0 });
    const payment = await firstPayment(invoiceId);
    expect(payment).toMatchObject({ amount: 33.37, tipAmount: 6.01, surchargeAmount: 0 });
    const paid = await transaction(payment?.transactionId);
    expect(paid).toMatchObject({ amount: 39.38, tipAmount: 6.01 });
    const receipt = await expectData(
      fixture().api.admin.post<{ content: string }>('/notifications/receipt/print', { transactionId: paid.transactionId, format: 'text' }),
    );
    expect(receipt.content).toMatch(/Tip +6\.01/);
    const report = await expectData(fixture().api.admin.get<TipReport>('/reporting/tips'));
    expect(report.people.find(({ person }) => person === 'payer')?.tips).toBeGreaterThanOrEqual(6.01);
    const refund = await expectData(
      fixture().api.admin.post<TransactionRecord>(`/transactions/${payment?.transactionId}/refund`, { amount: 13.12 }),
    );
    expect(refund).toMatchObject({ tipAmount: 2 });
    await expectData(fixture().api.admin.post(`/transactions/${payment?.transactionId}/refund`, {}));
    expect(await transaction(payment?.transactionId)).toMatchObject({ refundedAmount: 39.38 });
  });

  test('pays once with its tip when ten payers submit in parallel', async () => {
    await offerTips();
    const { path, invoiceId } = await createLinkPage(fixture(), { amount: 71.4 });
    const form = { ...prefilledFields(await openPage(fixture(), path)), ...CARD_FORM, tip: '20' };
    const others = await Promise.all(Array.from({ length: 5 }, () => openPage(fixture(), path)));
    const forms = [...Array.from({ length: 5 }, () => form), ...others.map((opened) => ({ ...form, ...prefilledFields(opened) }))];
    await Promise.all(forms.map((sent) => submitForm(fixture(), path, sent)));
    const { status, amountPaid, payments } = await getInvoice(fixture(), invoiceId);
    const succeeded = payments.filter((payment) => payment.status === 'succeeded');
    expect({ status, amountPaid, tips: succeeded.map(({ tipAmount }) => tipAmount) }).toEqual({
      status: 'paid',
      amountPaid: 71.4,
      tips: [14.28],
    });
  });

  test('takes a tip of any amount up to the amount paid, with a part of an invoice too', async () => {
    await expectData(settings({ pageTips: 'links_and_invoices', tipPercents: [10], tipCustomAmount: true }));
    const { path, invoiceId } = await createInvoicePage(fixture(), { amount: 80, allowPartial: true });
    for (const tipAmount of ['', '30.01', '4.005', 'abc', '-1']) {
      const { answer } = await pay(fixture(), path, { amount: '30', tip: 'custom', tipAmount });
      expect({ tipAmount, status: answer.status }).toEqual({ tipAmount, status: 400 });
      expect(answer.text).toContain('id="tipAmount-fault"');
    }
    await pay(fixture(), path, { amount: '30', tip: 'custom', tipAmount: '4.25' });
    await pay(fixture(), path, { amount: '50', tip: '10' });
    const { status, amountPaid, payments } = await getInvoice(fixture(), invoiceId);
    expect({ status, amountPaid }).toEqual({ status: 'paid', amountPaid: 80 });
    expect(payments.map(({ amount, tipAmount }) => [amount, tipAmount])).toEqual([
      [30, 4.25],
      [50, 5],
    ]);
  });

  test('refuses a tip that the page does not offer', async () => {
    await offerTips();
    const link = await createLinkPage(fixture(), { amount: 20 });
    const invoice = await createInvoicePage(fixture());
    expect((await openPage(fixture(), invoice.path)).text).not.toContain('name="tip"');
    for (const { path, invoiceId, tip } of [
      { ...link, tip: '25' },
      { ...link, tip: 'NaN' },
      { ...invoice, tip: '15' },
      { ...invoice, tip: 'custom' },
    ]) {
      const { answer } = await pay(fixture(), path, { tip, tipAmount: '1' });
      expect(answer.text).toContain('This form is incomplete or out of date.');
      expect((await getInvoice(fixture(), invoiceId)).payments).toEqual([]);
    }
    await expectError(settings({ tipPercents: [], tipCustomAmount: false }), 400, 'VALIDATION_ERROR');
    for (const tipPercents of [[0], [101], [12.5], [1, 2, 3, 4, 5], [5, 5]])
      await expectError(settings({ tipPercents }), 400, 'VALIDATION_ERROR');
  });

  test('computes the surcharge without the tip, and shows both in the total', async () => {
    await offerTips();
    await allowSurcharges(fixture(), fixture().credentials.merchantId);
    const { path, invoiceId } = await createLinkPage(fixture(), { amount: 100 });
    const quoted = await submitForm(fixture(), `${path}/surcharge`, {
      firstDigits: '41111111',
      zip: '03101',
      amount: '100.00',
      tip: 'custom',
      tipAmount: '10',
    });
    expect(JSON.parse(quoted.text)).toMatchObject({ decimal: '2.90', button: 'Pay 112.90 USD' });
    await pay(fixture(), path, { zip: '03101', tip: 'custom', tipAmount: '10', surcharge: '2.90' });
    const payment = await firstPayment(invoiceId);
    expect(payment).toMatchObject({ amount: 100, tipAmount: 10, surchargeAmount: 2.9 });
    expect(await transaction(payment?.transactionId)).toMatchObject({ amount: 112.9, tipAmount: 10, surchargeAmount: 2.9 });
  });

  test('keeps the chosen tip after a declined card', async () => {
    await offerTips();
    const { path, invoiceId } = await createLinkPage(fixture(), { amount: 44 });
    const { after } = await pay(fixture(), path, { tip: 'custom', tipAmount: '3.10', number: '4000000000000002' });
    expect(after.text).toMatch(/value="custom" checked/);
    expect(after.text).toMatch(/name="tipAmount"[^>]* value="3.10"/);
    expect(await getInvoice(fixture(), invoiceId)).toMatchObject({ status: 'sent', amountPaid: 0, amountPending: 0 });
  });

  test('asks for a tip by the link, or else by the settings of the merchant', async () => {
    const { api } = fixture();
    const asks = async (path: string) => (await openPage(fixture(), path)).text.includes('name="tip"');
    await expectData(settings({ pageTips: 'off', tipPercents: [15, 18, 20], tipCustomAmount: true }));
    const plain = await createLinkPage(fixture(), { amount: 40 });
    const asking = await createLinkPage(fixture(), { amount: 40, askForTip: 'yes' });
    const quiet = await createLinkPage(fixture(), { amount: 40, askForTip: 'no' });
    const following = await createLinkPage(fixture(), { amount: 40, askForTip: 'default' });
    const links = [plain, asking, quiet, following];
    expect(links.map(({ askForTip }) => askForTip)).toEqual(['default', 'yes', 'no', 'default']);
    expect(await Promise.all(links.map(({ path }) => asks(path)))).toEqual([false, true, false, false]);
    await expectData(settings({ pageTips: 'links_and_invoices' }));
    expect(await Promise.all(links.map(({ path }) => asks(path)))).toEqual([true, true, false, true]);
    expect(await asks((await createInvoicePage(fixture())).path)).toBe(true);

    const refused = await pay(fixture(), quiet.path, { tip: '15' });
    expect(refused.answer.text).toContain('This form is incomplete or out of date.');
    expect((await getInvoice(fixture(), quiet.invoiceId)).payments).toEqual([]);
    await expectData(settings({ pageTips: 'off' }));
    await pay(fixture(), asking.path, { tip: '15' });
    expect(await firstPayment(asking.invoiceId)).toMatchObject({ amount: 40, tipAmount: 6 });

    const create = (body: object) => api.admin.post('/payment-links', { amount: 40, ...body });
    await expectError(create({ askForTip: 'maybe' }), 400, 'VALIDATION_ERROR', 'askForTip');
    await expectData(settings({ pageTips: 'off', tipPercents: [], tipCustomAmount: false }));
    await expectError(create({ askForTip: 'yes' }), 400, 'VALIDATION_ERROR', 'askForTip');
    await expectData(create({ askForTip: 'no' }), 201);
    const unpaid = await createLinkPage(fixture(), { amount: 41 });
    expect(await asks(unpaid.path)).toBe(false);
    await offerTips();
  });
});
