import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { cardPaymentBody, getInvoice, payInvoice } from '../../support/invoices.ts';
import { CARDS } from '../../support/sales.ts';
import { type ApiFixture, describeOnAnyDatabase, expectData } from '../../support/server.ts';
import { advanceClock } from '../../support/webhooks.ts';
import { CARD_FORM, createInvoicePage, openPage, type PageResponse, pay, submitForm } from './pay-page-client.ts';

const TRIES = 10;
const HOUR_S = 3_600;

/** Submits a form like a program, with its own marker. */
const attemptPayment = (fixture: ApiFixture, path: string, form: Record<string, string> = {}): Promise<PageResponse> =>
  submitForm(fixture, path, { ...CARD_FORM, number: CARDS.declined, attempt: randomUUID(), amount: '100.00', ...form });

async function failsAll(fixture: ApiFixture, path: string, times = TRIES, form: Record<string, string> = {}): Promise<void> {
  for (let index = 0; index < times; index += 1) expect((await attemptPayment(fixture, path, form)).status).toBe(303);
}

describeOnAnyDatabase('payment attempts on the page of one invoice', (fixture) => {
  test('blocks payers for a while after ten failed payments within an hour, but not staff', async () => {
    const { path, invoiceId } = await createInvoicePage(fixture());
    await failsAll(fixture(), path);
    for (const number of [CARDS.declined, CARDS.visa]) {
      const { status, headers, text } = await attemptPayment(fixture(), path, { number });
      expect(status).toBe(429);
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(HOUR_S - 300);
      expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(HOUR_S);
      expect(text).toMatch(/Too many payments have failed here\. Nothing was charged\. Try again in (5\d|60) minutes/);
      expect(text).toContain('value="Ann Marsh"');
      expect(text).not.toContain(number.slice(0, 6));
    }
    expect((await getInvoice(fixture(), invoiceId)).payments).toHaveLength(TRIES);
    expect((await openPage(fixture(), path)).status).toBe(200);
    const other = await createInvoicePage(fixture());
    expect((await pay(fixture(), other.path)).after.text).toContain('Paid. Thank you.');
    await expectData(payInvoice(fixture(), invoiceId, { amount: 30 }));
    await expectData(payInvoice(fixture(), invoiceId, cardPaymentBody(CARDS.visa, { amount: 20 })));
    await advanceClock(fixture(), HOUR_S);
    expect((await pay(fixture(), path)).after.text).toContain('Paid. Thank you.');
  });

  test('shows the block in Spanish to payers of a Spanish merchant', async () => {
    const { path } = await createInvoicePage(fixture());
    await failsAll(fixture(), path);
    const merchant = `/merchants/${fixture().credentials.merchantId}/settings`;
    await expectData(fixture().api.admin.put(merchant, { language: 'es' }));
    const { status, text } = await attemptPayment(fixture(), path).finally(() => fixture().api.admin.put(merchant, { language: 'en' }));
    expect([status, text.includes('Han fallado demasiados pagos aquí. No se cobró nada.')]).toEqual([429, true]);
  });

  test('keeps the block after a successful payment', async () => {
    const { path } = await createInvoicePage(fixture(), { allowPartial: true });
    await failsAll(fixture(), path, TRIES - 1);
    expect((await attemptPayment(fixture(), path, { number: CARDS.visa, amount: '5.00' })).status).toBe(303);
    await failsAll(fixture(), path, 1, { amount: '10.00' });
    expect((await attemptPayment(fixture(), path, { number: CARDS.visa, amount: '5.00' })).status).toBe(429);
  });

  test('allows parallel forms no more attempts than sequential ones', async () => {
    const { path, invoiceId } = await createInvoicePage(fixture(), { allowPartial: true });
    const answers = await Promise.all(Array.from({ length: TRIES + 6 }, () => attemptPayment(fixture(), path, { amount: '1.00' })));
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(TRIES);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(6);
    expect((await getInvoice(fixture(), invoiceId)).payments).toHaveLength(TRIES);
  });

  test('lists the newest twenty failed payments of the page, and all others', async () => {
    const { path, invoiceId } = await createInvoicePage(fixture());
    await payInvoice(fixture(), invoiceId, cardPaymentBody(CARDS.declined));
    for (const times of [TRIES, TRIES, 3]) {
      await failsAll(fixture(), path, times);
      await advanceClock(fixture(), HOUR_S);
    }
    const { answer } = await pay(fixture(), path, { number: CARDS.declined });
    await expectData(payInvoice(fixture(), invoiceId, { amount: 30 }));
    const { payments } = await getInvoice(fixture(), invoiceId);
    expect(payments.map(({ origin, status }) => `${origin} ${status}`)).toEqual([
      'desk failed',
      ...Array.from({ length: 20 }, () => 'page failed'),
      'desk succeeded',
    ]);
    expect(answer.location).toContain(payments.at(-2)?.paymentId);
  });
});
