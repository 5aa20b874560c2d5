import { expect, test } from 'vitest';
import { type BankShop, importLines, matchBankLine } from '../../support/bank.ts';
import { accountsOf, bankFigure, credit } from '../../support/bank-invoices.ts';
import { cardPaymentBody, getInvoice, payInvoice } from '../../support/invoices.ts';
import { CARDS } from '../../support/sales.ts';
import { type ApiFixture, describeOnAnyDatabase, expectData } from '../../support/server.ts';
import { settle } from '../../support/settlements.ts';
import { createUser } from '../../support/users.ts';
import { readPdf } from '../../unit/documents/read-pdf.ts';
import { linkTo } from '../customers/customer-page-client.ts';
import { openPage, pathOf } from '../pages/pay-page-client.ts';
import { addDays, createMerchant, feesOf, passDay, reverse, SETTINGS, sendInvoice } from './late-fee-client.ts';

/** Charges a fee of 2.00 on an invoice of 100.00. Returns the invoice and the day of the fee. */
async function chargedInvoice(service: ApiFixture, merchantId: string) {
  const sent = await sendInvoice(service, merchantId);
  const day = addDays(sent.dueDate, 2);
  await passDay(service, day);
  return { ...sent, day };
}

describeOnAnyDatabase('late fees in other records', (fixture) => {
  test('are not charged while the merchant is closed, nor for that time after it opens again, and charged ones can be reversed', async () => {
    const service = fixture();
    const { api } = service;
    const merchantId = await createMerchant(service);
    const { invoiceId, dueDate } = await chargedInvoice(service, merchantId);
    const reminders = {
      enabled: true,
      steps: [{ days: 8, channel: 'email', texts: {} }],
      weekdays: [0, 1, 2, 3, 4, 5, 6],
      sendAt: '10:00',
    };
    await expectData(api.admin.put(`/merchants/${merchantId}/reminder-settings`, reminders));
    const { payments } = await expectData(payInvoice(service, invoiceId, { paymentMethod: 'check' }));
    await expectData(api.admin.delete(`/merchants/${merchantId}`));
    // The bank returns the check, which opens the invoice of the closed merchant again.
    await expectData(api.admin.post(`/tenders/${payments[0]?.tenderId}/return`, { reason: 'No funds' }));
    expect(await getInvoice(service, invoiceId)).toMatchObject({ status: 'overdue', amountDue: 102 });
    expect(await feesOf(service, invoiceId)).toMatchObject({ state: 'off', next: null });
    await passDay(service, addDays(dueDate, 8));
    await passDay(service, addDays(dueDate, 9));
    expect((await feesOf(service, invoiceId)).charged).toMatchObject([{ period: 1, amount: 2 }]);
    expect(await expectData(api.admin.get(`/invoices/${invoiceId}/reminders`))).toMatchObject({ sent: [] });
    await expectData(api.admin.post(`/merchants/${merchantId}/reopen`, {}));
    await passDay(service, addDays(dueDate, 11));
    expect((await feesOf(service, invoiceId)).charged).toHaveLength(1);
    expect(await feesOf(service, invoiceId)).toMatchObject({ state: 'scheduled', next: { period: 3, day: addDays(dueDate, 16) } });
    await expectData(reverse(service, invoiceId, (await feesOf(service, invoiceId)).charged[0]?.lateFeeId));
    expect(await getInvoice(service, invoiceId)).toMatchObject({ amountDue: 100 });
  });

  test('agree in the close of a day, whether a bank line or a card pays them', async () => {
    const service = fixture();
    const { api } = service;
    const merchantId = await createMerchant(service, SETTINGS, { timezone: 'UTC' });
    const account = { merchantId, name: 'Checking', accountNumber: '9876543210' };
    const { bankAccountId } = await expectData(api.admin.post<{ bankAccountId: string }>('/settlement/bank-accounts', account), 201);
    const shop: BankShop = { merchantId, bankAccountId };
    const byCard = await sendInvoice(service, merchantId);
    const { invoiceId, number, day } = await chargedInvoice(service, merchantId);
    const [line] = await importLines(service, shop, [credit(10_200, `TRANSFER ${number}`, day)]);
    await expectData(matchBankLine(service, line?.lineId ?? '', [{ kind: 'invoice', invoiceId }]));
    expect(await getInvoice(service, invoiceId)).toMatchObject({ status: 'paid', amountDue: 0 });
    expect(await accountsOf(service, shop)).toMatchObject({ bank: -102, lateFees: -2 });
    expect(await bankFigure(service, shop, `date=${day}`)).toMatchObject({ ledger: 102, bank: 102, difference: 0 });
    await expectData(payInvoice(service, byCard.invoiceId, cardPaymentBody(CARDS.visa, { amount: 102 })));
    await settle(service, merchantId);
    await expectData(api.admin.post('/settlement/reconciliation/auto', { date: day, merchantId }));
    expect(await accountsOf(service, shop)).toMatchObject({ lateFees: -4 });
    const close = await expectData(
      api.admin.get<{ figures: { name: string; difference: number; ledger: number }[] }>(
        `/settlement/close?merchantId=${merchantId}&date=${day}`,
      ),
    );
    expect(close.figures.map(({ name, difference }) => [name, difference])).toEqual(close.figures.map(({ name }) => [name, 0]));
    expect(close.figures.find(({ name }) => name === 'sales')).toMatchObject({ ledger: 102 });
    expect(await expectData(api.admin.get(`/settlement/ledger?merchantId=${merchantId}`))).toMatchObject({ balanced: true });
  });

  test('are lines of the PDF of an invoice and part of what its customer pays on the page', async () => {
    const service = fixture();
    const { baseUrl } = service;
    const merchantId = await createMerchant(service);
    const { invoiceId, customerId, number } = await chargedInvoice(service, merchantId);
    const { headers } = await createUser(service, 'manager', {}, merchantId);
    const readText = async () => {
      const response = await fetch(`${baseUrl}/api/v1/invoices/${invoiceId}/pdf`, { headers });
      return (await readPdf(Buffer.from(await response.arrayBuffer()))).text;
    };
    const text = await readText();
    expect(text).toMatch(/Late fee, \w+ \d+, \d{4}/);
    expect(text).toContain('102.00');
    const path = pathOf((await linkTo(service, customerId)).url);
    const page = await openPage(service, path);
    expect(page.text).toContain(number);
    expect(page.text).toContain('102.00');
    const { url } = await getInvoice(service, invoiceId);
    expect((await openPage(service, pathOf(url))).text).toMatch(/Late fee, [\s\S]*2\.00/);
    await expectData(reverse(service, invoiceId, (await feesOf(service, invoiceId)).charged[0]?.lateFeeId));
    expect(await readText()).not.toContain('Late fee');
    expect((await openPage(service, path)).text).not.toContain('102.00');
  });
});
