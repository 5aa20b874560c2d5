import { expect, test } from 'vitest';
import { getInvoice } from '../../support/invoices.ts';
import type { TransactionRecord } from '../../support/sales.ts';
import { describeOnAnyDatabase, expectData } from '../../support/server.ts';
import { allowSurcharges } from '../../support/settlements.ts';
import { CARD_FORM, createLinkPage, openPage, pay, prefilledFields, submitForm } from './pay-page-client.ts';

const FORM = { ...CARD_FORM, zip: '03101' };
const DEBIT = '4000056655665556';

describeOnAnyDatabase('surcharge on the pay page', (fixture) => {
  const pageWithRule = async (more: object = {}) => {
    await allowSurcharges(fixture(), fixture().credentials.merchantId);
    return createLinkPage(fixture(), { amount: 100, ...more });
  };
  const quote = async (path: string, form: Record<string, string>) =>
    JSON.parse((await submitForm(fixture(), `${path}/surcharge`, { amount: '100.00', zip: '03101', ...form })).text) as object;

  test('is announced, quoted for the card while it is typed, and charged in addition to the amount due', async () => {
    const { path, invoiceId } = await pageWithRule();
    const opened = await openPage(fixture(), path);
    expect(opened.text).toContain('A surcharge of up to 2.9% is added to payments with credit cards.');
    const shown = {
      decimal: '2.90',
      line: 'With the surcharge of 2.9% for this credit card (2.90 USD), you pay 102.90 USD.',
      button: 'Pay 102.90 USD',
    };
    expect(await quote(path, { firstDigits: '41111111' })).toEqual(shown);
    for (const other of [
      { firstDigits: '40000566', zip: '03101' },
      { firstDigits: '41111111', zip: '04101' },
    ])
      expect(await quote(path, other)).toMatchObject({ decimal: '0.00', line: '', button: 'Pay 100.00 USD' });
    expect(await quote(path, { firstDigits: '4111111111111111' })).toMatchObject({ decimal: '0', line: '' });
    const { after } = await pay(fixture(), path, { ...FORM, surcharge: '2.90' });
    for (const text of ['102.90 USD', 'Surcharge', '2.90 USD']) expect(after.text).toContain(text);
    const { status, amountPaid, payments } = await getInvoice(fixture(), invoiceId);
    expect({ status, amountPaid }).toEqual({ status: 'paid', amountPaid: 100 });
    expect(payments[0]).toMatchObject({ amount: 100, surchargeAmount: 2.9, tipAmount: 0 });
    const paid = await expectData(fixture().api.admin.get<TransactionRecord>(`/transactions/${payments[0]?.transactionId}`));
    expect(paid).toMatchObject({ amount: 102.9, surchargeAmount: 2.9 });
    await expectData(fixture().api.admin.post(`/transactions/${payments[0]?.transactionId}/void`));
    expect(await getInvoice(fixture(), invoiceId)).toMatchObject({ status: 'sent', amountPaid: 0 });
  });

  test('is not announced if the state of the merchant forbids it, and no ZIP code is required then', async () => {
    const { path } = await pageWithRule();
    const { api, credentials } = fixture();
    const profile = `/merchants/${credentials.merchantId}`;
    const { state } = await expectData(api.admin.get<{ state: string }>(profile));
    const settings = `${profile}/vt-settings`;
    const { requireZip } = await expectData(api.admin.get<{ requireZip: boolean }>(settings));
    await expectData(api.admin.put(profile, { state: 'ME' }));
    await expectData(api.admin.put(settings, { requireZip: false }));
    try {
      const { zip: _, ...withoutZip } = FORM;
      expect((await openPage(fixture(), path)).text).not.toContain('A surcharge of up to');
      expect((await pay(fixture(), path, withoutZip)).answer.status).toBe(303);
    } finally {
      await expectData(api.admin.put(profile, { state }));
      await expectData(api.admin.put(settings, { requireZip }));
    }
  });

  test('is never charged before the payer has seen it, also without scripts', async () => {
    const { path, invoiceId } = await pageWithRule();
    const { answer } = await pay(fixture(), path, FORM);
    expect(answer.status).toBe(409);
    expect(answer.text).toContain('Nothing was charged. With the surcharge of 2.9%');
    expect(answer.text).toContain('Pay 102.90 USD');
    expect(answer.text).not.toContain('4111');
    expect((await getInvoice(fixture(), invoiceId)).payments).toEqual([]);
    const accepted = { ...prefilledFields(answer), surcharge: '2.90' };
    const paid = await submitForm(fixture(), path, { ...accepted, ...FORM, number: DEBIT });
    expect(paid.status).toBe(303);
    expect((await getInvoice(fixture(), invoiceId)).payments[0]).toMatchObject({ amount: 100, surchargeAmount: 0 });
  });
});
