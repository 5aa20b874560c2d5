import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PageInput } from '#core/billing/invoicing';
import { parseCurrency, parseMoney, ServiceError } from '#core/kernel';
import { openTestCore, type TestCore } from '../../support/core.ts';
import { CARDS } from '../../support/sales.ts';
import { FULL } from '../../support/tier.ts';
import { until } from '../../support/until.ts';

const usd = (amount: number) => parseMoney(amount, parseCurrency('USD'));

const FROM = { ip: '192.0.2.7', requestId: 'req_page' };

let opened: TestCore;
beforeAll(async () => {
  opened = await openTestCore();
});
afterAll(() => opened.close());

const cardOf = (number: string) => ({ kind: 'card' as const, number, expiryMonth: '12', expiryYear: '2039', cvv: '123' });
const form = (more: Partial<PageInput> = {}): PageInput => ({
  attemptKey: randomUUID(),
  method: cardOf(CARDS.visa),
  name: 'Ann Marsh',
  email: 'ann@customer.example',
  zip: '04101',
  ...more,
});

async function link(more: Record<string, unknown> = {}) {
  const { invoice } = await opened.core.invoicing.createLink(opened.actor, { amount: 40, ...more });
  const { invoiceId, url } = invoice;
  return { invoiceId, token: url.split('/').at(-1) ?? '' };
}

const pay = (token: string, input: PageInput) => opened.core.invoicing.payOnPage(token, input, FROM);
const stateOf = async (token: string) => (await opened.core.invoicing.openPage(token)).state;

async function expectRefusal(promise: Promise<unknown>, code: string, field?: string): Promise<ServiceError> {
  const error = await promise.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(ServiceError);
  const refusal = error as ServiceError;
  expect([refusal.code, field === undefined ? undefined : refusal.field]).toEqual([code, field]);
  return refusal;
}

describe('the pay page of an invoice', () => {
  test('shows the amount due and the payment methods', async () => {
    const { token, invoiceId } = await link({ description: 'Deposit' });
    const page = await opened.core.invoicing.openPage(token);
    expect(page).toMatchObject({
      tenantId: opened.actor.tenantId,
      state: 'open',
      isSandbox: true,
      methods: ['card', 'ach'],
      requireCvv: true,
      requireZip: true,
      merchant: { name: 'M' },
      invoice: { invoiceId, description: 'Deposit', amountDue: { minor: 4_000, currency: 'USD' } },
    });
    for (const unknown of ['', 'x', '0'.repeat(26), "' OR 1=1 --"])
      await expectRefusal(opened.core.invoicing.openPage(unknown), 'INVOICE_NOT_FOUND');
  });

  test('pays once per submission, also in parallel, and returns the current state', async () => {
    const { token, invoiceId } = await link();
    const input = form();
    const [one, two] = await Promise.all([pay(token, input), pay(token, input)]);
    expect(one?.paymentId).toBe(two?.paymentId);
    const third = await pay(token, input);
    expect(third).toMatchObject({ paymentId: one?.paymentId, status: 'succeeded', amount: { minor: 4_000 }, declineCode: null });
    expect(await opened.core.invoicing.pagePayment(token, third.paymentId)).toEqual(third);
    const { status, payments } = await opened.core.invoicing.get(opened.actor, invoiceId);
    expect(status).toBe('paid');
    expect(payments).toMatchObject([{ origin: 'page', actor: 'payer', method: 'card', card: { last4: '1111' } }]);
    const sale = await opened.core.payments.get(opened.actor, third.transactionId ?? '');
    expect(sale).toMatchObject({
      source: 'link',
      invoiceId,
      customer: { name: 'Ann Marsh', email: 'ann@customer.example' },
      billing: { zip: '04101' },
    });
    expect(await stateOf(token)).toBe('paid');
    await expectRefusal(pay(token, form()), 'INVOICE_ALREADY_PAID');
  });

  test('pays once with two parallel payers', async () => {
    const { token, invoiceId } = await link();
    const answers = await Promise.allSettled([pay(token, form()), pay(token, form())]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    const { payments } = await opened.core.invoicing.get(opened.actor, invoiceId);
    expect(payments.length).toBe(1);
  });

  test('records a decline as a failed payment, and allows another submission', async () => {
    const { token } = await link();
    expect(await pay(token, form({ method: cardOf(CARDS.noFunds) }))).toMatchObject({
      status: 'failed',
      declineCode: 'insufficient_funds',
      transactionId: expect.any(String),
    });
    expect(await pay(token, form({ method: cardOf(CARDS.gatewayError) }))).toMatchObject({ status: 'failed', declineCode: null });
    expect(await stateOf(token)).toBe('open');
    expect(await pay(token, form())).toMatchObject({ status: 'succeeded' });
  });

  test('accepts a part if the merchant allows it, and nothing above the amount due', async () => {
    const whole = await link();
    await expectRefusal(pay(whole.token, form({ amount: '10.00' })), 'VALIDATION_ERROR', 'amount');
    await expectRefusal(pay(whole.token, form({ amount: '40.01' })), 'PAYMENT_EXCEEDS_DUE', 'amount');
    await expectRefusal(pay(whole.token, form({ amount: 'x' })), 'INVALID_AMOUNT', 'amount');
    expect(await pay(whole.token, form({ amount: '40.00' }))).toMatchObject({ status: 'succeeded' });
    const parts = await link({ allowPartial: true });
    expect(await pay(parts.token, form({ amount: '0.50' }))).toMatchObject({ amount: { minor: 50 } });
    expect(await pay(parts.token, form())).toMatchObject({ amount: { minor: 3_950 } });
  });

  test("requires the merchant's fields, and refuses payment methods that it does not accept", async () => {
    const { token } = await link();
    const { cvv: _, ...bare } = cardOf(CARDS.visa);
    await expectRefusal(pay(token, form({ method: bare })), 'REQUIRED_FIELD_MISSING', 'card.cvv');
    await expectRefusal(pay(token, form({ zip: ' ' })), 'REQUIRED_FIELD_MISSING', 'zip');
    await expectRefusal(pay(token, form({ email: 'nobody' })), 'INVALID_EMAIL', 'email');
    await expectRefusal(pay(token, form({ name: 'x'.repeat(201) })), 'VALIDATION_ERROR', 'name');
    await expectRefusal(pay(token, form({ name: '\u0000' })), 'VALIDATION_ERROR', 'name');
    await expectRefusal(pay(token, form({ attemptKey: '' })), 'VALIDATION_ERROR', 'attemptKey');
    await expectRefusal(pay(token, form({ method: { kind: 'token', token: 'tok_x' } })), 'VALIDATION_ERROR', 'method');
    const { merchantId } = await opened.core.merchants.merchantFor(opened.actor);
    const modes = (allowedModes: ('card' | 'ach' | 'token')[]) =>
      opened.core.merchants.changeSection(opened.actor, merchantId, 'vt-settings', {
        allowedModes,
        requireZip: allowedModes.includes('ach'),
      });
    await modes(['card', 'token']);
    const account = { accountNumber: '000123456789', routingNumber: '021000021', accountType: 'checking', accountHolderName: 'Ann' };
    await expectRefusal(pay(token, form({ method: { kind: 'ach', ...account } })), 'VALIDATION_ERROR', 'method');
    expect((await opened.core.invoicing.openPage(token)).methods).toEqual(['card']);
    expect(await pay(token, form({ zip: undefined }))).toMatchObject({ status: 'succeeded' });
    await modes(['card', 'ach', 'token']);
    expect(await pay((await link()).token, form({ method: { kind: 'ach', ...account } }))).toMatchObject({ status: 'succeeded' });
  });

  test('shows the payment as in progress while its outcome is unknown', FULL, async () => {
    const { token, invoiceId } = await link();
    const first = await pay(token, form({ method: cardOf(CARDS.answerLost) }));
    expect(first.status).toBe('pending');
    expect(await stateOf(token)).toBe('busy');
    const refused = await expectRefusal(pay(token, form()), 'PAYMENT_EXCEEDS_DUE');
    expect(refused.details).toEqual({ amountDue: usd(40), requestedAmount: usd(40), amountPending: usd(40) });
    await expectRefusal(opened.core.invoicing.cancel(opened.actor, invoiceId), 'RESOURCE_CONFLICT');
    await opened.core.payments.resolveUnconfirmed(opened.actor.tenantId, 10_000);
    expect(await opened.core.invoicing.pagePayment(token, first.paymentId)).toMatchObject({ status: 'succeeded' });
    expect(await stateOf(token)).toBe('paid');
  });

  test('closes after expiry, cancellation or closing of the merchant', async () => {
    const expiring = await link({ expiresAt: new Date(Date.now() + 3_600_000).toISOString() });
    const cancelled = await link();
    await opened.core.invoicing.cancel(opened.actor, cancelled.invoiceId);
    expect(await stateOf(cancelled.token)).toBe('cancelled');
    await expectRefusal(pay(cancelled.token, form()), 'INVOICE_CANCELLED');
    const { merchantId } = await opened.core.merchants.create(opened.actor, { name: 'Gone' });
    const { customerId } = await opened.core.customers.create({ ...opened.actor, merchantId }, { lastName: 'Last' });
    const draft = await opened.core.invoicing.create(opened.actor, { customerId, amount: 40, merchantId });
    const gone = { token: new URL(draft.url).pathname.slice('/pay/'.length) };
    await opened.core.merchants.close(opened.actor, merchantId);
    expect(await stateOf(gone.token)).toBe('closed');
    await expectRefusal(pay(gone.token, form()), 'MERCHANT_NOT_FOUND');
    const { shortUrl } = await opened.core.invoicing.get(opened.actor, expiring.invoiceId);
    const code = shortUrl.split('/').at(-1) ?? '';
    expect(await opened.core.invoicing.resolveShort(code)).toEqual({ target: `/pay/${expiring.token}`, isExpired: false });
    await opened.core.sandbox.moveClock(opened.actor, { advanceSeconds: 3_601 });
    expect(await stateOf(expiring.token)).toBe('expired');
    const error = await expectRefusal(pay(expiring.token, form()), 'RESOURCE_CONFLICT');
    expect(error.details).toEqual({ reason: 'expired' });
    expect(await opened.core.invoicing.resolveShort(code.toUpperCase())).toMatchObject({ isExpired: true });
    for (const unknown of ['', '00000000', 'x', '../../x']) expect(await opened.core.invoicing.resolveShort(unknown)).toBeNull();
  });

  test('accepts payments for a deleted customer without storing the card', async () => {
    const { customerId } = await opened.core.customers.create(opened.actor, { firstName: 'Gone', lastName: 'Away' });
    const { invoiceId, url } = await opened.core.invoicing.create(opened.actor, { customerId, amount: 15 });
    const token = url.split('/').at(-1) ?? '';
    await opened.core.customers.remove(opened.actor, customerId);
    expect(await pay(token, form())).toMatchObject({ status: 'succeeded' });
    const { payments, customer } = await opened.core.invoicing.get(opened.actor, invoiceId);
    expect(customer?.name).toBe('Gone Away');
    expect(await opened.core.payments.get(opened.actor, payments[0]?.transactionId ?? '')).toMatchObject({ customerId: null, invoiceId });
  });

  test('hides a payment of another invoice', async () => {
    const [mine, other] = [await link(), await link()];
    const { paymentId } = await pay(other.token, form());
    await expectRefusal(opened.core.invoicing.pagePayment(mine.token, paymentId), 'INVOICE_NOT_FOUND');
  });
});

describe("a request lost between the gateway's answer and the response", () => {
  /** The rows as at the end of the process: the transaction has its outcome, the payment has not. */
  async function lost(more: { voided?: boolean } = {}) {
    const { token, invoiceId } = await link();
    const { paymentId, transactionId } = await pay(token, form());
    await opened.core.database.unitOfWork.transaction(opened.actor.tenantId, async (work) => {
      const pending = "SET status = 'pending', due_ms = 1, concluded_at = NULL";
      await work.run(`UPDATE invoice_payments ${pending} WHERE tenant_id = :tenantId AND id = :paymentId`, { paymentId });
      const unpaid = "SET status = 'sent', paid_minor = 0, pending_minor = 4000, paid_at = NULL";
      await work.run(`UPDATE invoices ${unpaid} WHERE tenant_id = :tenantId AND id = :invoiceId`, { invoiceId });
    });
    if (more.voided) await opened.core.payments.voidTransaction(opened.actor, { transactionId: transactionId ?? '' });
    return { token, invoiceId, paymentId };
  }

  const read = async (invoiceId: string) => {
    const { status, amountPaid, amountPending, payments } = await opened.core.invoicing.get(opened.actor, invoiceId);
    return [status, amountPaid.minor, amountPending.minor, payments.map((each) => each.status)];
  };

  test('completes the payment at the next start', async () => {
    const { invoiceId } = await lost();
    await opened.core.start();
    await until('no payment is under way', async () => (await read(invoiceId))[2] === 0);
    expect(await read(invoiceId)).toEqual(['paid', 4_000, 0, ['succeeded']]);
    await opened.core.stop();
  });

  test('leaves no open payment if it was voided before its completion', async () => {
    const { token } = await link();
    const { paymentId, transactionId } = await pay(token, form({ email: 'payer@customer.example' }));
    const due = async () => {
      const [row] = await opened.core.database
        .read(opened.actor.tenantId)
        .all<{ due_ms: number | null; receipt_email: string | null }>(
          'SELECT due_ms, receipt_email FROM invoice_payments WHERE tenant_id = :tenantId AND id = :paymentId',
          { paymentId },
        );
      return row;
    };
    expect(await due()).toMatchObject({ receipt_email: 'payer@customer.example' });
    await opened.core.payments.voidTransaction(opened.actor, { transactionId: transactionId ?? '' });
    expect(await due()).toEqual({ due_ms: null, receipt_email: null });
  });

  test('records a payment together with later changes of its transaction', async () => {
    const { invoiceId } = await lost({ voided: true });
    expect(await read(invoiceId)).toEqual(['sent', 0, 0, ['voided']]);
  });
});
