import { expect, test } from 'vitest';
import { createInvoice, payInvoice } from '../../support/invoices.ts';
import { CARDS, cardBody, createSale, type RefundRecord, type TransactionRecord } from '../../support/sales.ts';
import { type ApiFixture, describeOnAnyDatabase, expectData, expectError, FULL } from '../../support/server.ts';
import { createUser, signInAs } from '../../support/users.ts';
import { readPdf } from '../../unit/documents/read-pdf.ts';

interface Printed {
  content: string;
  contentType: string;
  copy: string;
  width: string;
  isDuplicate: boolean;
}

interface Message {
  channel: string;
  kind: string;
  resourceId: string;
  to: string;
  subject: string | null;
  body: string;
  attachment: string | null;
}

const PRINT = '/notifications/receipt/print';
const print = ({ api }: ApiFixture, transactionId: string, more: object = {}) =>
  expectData(api.admin.post<Printed>(PRINT, { transactionId, format: 'text', ...more }));

const refundOf = ({ api }: ApiFixture, transactionId: string, amount: number) =>
  expectData(api.admin.post<RefundRecord>(`/transactions/${transactionId}/refund`, { amount }));

const declined = async ({ api }: ApiFixture) =>
  (await api.admin.post<TransactionRecord>('/transactions', cardBody(20, CARDS.declined, { customer: { email: 'a@example.com' } }))).body
    .data;

const messageOf = ({ api }: ApiFixture, messageId: string) => expectData(api.admin.get<Message>(`/notifications/messages/${messageId}`));

/** Returns the bytes of a binary response. */
async function bytesOf(fixture: ApiFixture, path: string): Promise<{ type: string | null; bytes: Buffer }> {
  const { tenantId, adminEmail, adminPassword } = fixture.credentials;
  const { token } = await signInAs(fixture, adminEmail, adminPassword, tenantId);
  const response = await fetch(`${fixture.baseUrl}/api/v1${path}`, {
    headers: { 'X-Tenant-ID': tenantId, Authorization: `Bearer ${token}` },
  });
  expect(response.status).toBe(200);
  return { type: response.headers.get('content-type'), bytes: Buffer.from(await response.arrayBuffer()) };
}

describeOnAnyDatabase('printing a receipt', (fixture) => {
  test('prints receipts in every format for every paper width', async () => {
    const { transactionId, authCode, processorRef } = await createSale(fixture(), 91, { orderId: 'A-100', description: 'Café 5 €' });
    for (const [width, columns] of [
      ['58mm', 32],
      ['80mm', 48],
      ['letter', 48],
    ] as const) {
      const text = await print(fixture(), transactionId, { width, preview: true });
      expect(text).toMatchObject({ contentType: 'text/plain; charset=utf-8', copy: 'customer', width });
      for (const line of text.content.split('\n')) expect([...line].length).toBeLessThanOrEqual(columns);
      for (const part of ['SANDBOX', '91.00 USD', 'Visa ****1111', authCode ?? '', processorRef, 'A-100', 'Café 5 €'])
        expect(text.content).toContain(part);
      // The authorization code is random, and may begin like the card number.
      expect(text.content.replace(authCode ?? '', '')).not.toMatch(/\b(2031|4111)/);
      const html = await print(fixture(), transactionId, { width, format: 'html', preview: true });
      expect(html.contentType).toBe('text/html; charset=utf-8');
      expect(html.content).toContain(`@page { size: ${width === 'letter' ? '215.9mm' : width} `);
      const escpos = Buffer.from((await print(fixture(), transactionId, { width, format: 'escpos', preview: true })).content, 'base64');
      expect(escpos.subarray(0, 2).toString('latin1')).toBe('\u001b@');
      expect(escpos.toString('latin1')).toContain('****1111');
    }
  });

  test("returns the customer copy as a page in the merchant's paper width by default", async () => {
    const { api, credentials } = fixture();
    const { transactionId } = await createSale(fixture());
    await expectData(
      api.admin.put(`/merchants/${credentials.merchantId}/vt-settings`, { receiptWidth: '58mm', receiptFooter: 'No refunds.' }),
    );
    const made = await expectData(api.admin.post<Printed>(PRINT, { transactionId }));
    expect(made).toMatchObject({ copy: 'customer', width: '58mm', contentType: 'text/html; charset=utf-8' });
    expect(made.content).toContain('No refunds.');
    await expectData(api.admin.put(`/merchants/${credentials.merchantId}/vt-settings`, { receiptWidth: '80mm', receiptFooter: '' }));
  });

  test('counts each copy separately on every workstation, without previews', async () => {
    const { transactionId } = await createSale(fixture());
    const other = await createUser(fixture(), 'cashier');
    const station = (more: object) =>
      expectData(fixture().api.admin.post<Printed>(PRINT, { transactionId, format: 'text', ...more }, other.headers));
    expect((await print(fixture(), transactionId, { preview: true })).isDuplicate).toBe(false);
    expect((await print(fixture(), transactionId)).isDuplicate).toBe(false);
    const second = await station({});
    expect(second.isDuplicate).toBe(true);
    expect(second.content).toContain('*** DUPLICATE ***');
    expect(await station({ preview: true })).toMatchObject({ isDuplicate: true });
    const merchants = await station({ copy: 'merchant' });
    expect(merchants).toMatchObject({ isDuplicate: false, copy: 'merchant' });
    expect(merchants.content).toContain('Phone order, no signature');
    expect(merchants.content).not.toContain('DUPLICATE');
  });

  test('counts parallel prints of several workstations', async () => {
    const { transactionId } = await createSale(fixture());
    const prints = await Promise.all(Array.from({ length: 8 }, () => print(fixture(), transactionId)));
    expect(prints.filter(({ isDuplicate }) => !isDuplicate)).toHaveLength(1);
  });

  test('counts and marks receipts of refunds separately, for their own transaction only', async () => {
    const { api } = fixture();
    const { transactionId, authCode } = await createSale(fixture(), 30);
    const other = await createSale(fixture(), 31);
    const { refundId } = await refundOf(fixture(), transactionId, 12);
    await print(fixture(), transactionId);
    const made = await print(fixture(), transactionId, { refundId });
    expect(made.isDuplicate).toBe(false);
    expect(made.content).toContain('*** REFUND ***');
    expect(made.content).toMatch(/Refunded +12\.00 USD/);
    expect(made.content).not.toContain(authCode);
    await expectError(api.admin.post(PRINT, { transactionId: other.transactionId, refundId }), 404, 'NOT_FOUND');
    await expectError(api.admin.post(PRINT, { transactionId, refundId: 'ref_nothing' }), 404, 'NOT_FOUND');
  });

  test('states that no money moved for other payments', async () => {
    const { transactionId } = await declined(fixture());
    const made = await print(fixture(), transactionId);
    expect(made.content).toMatch(/Not charged +20\.00 USD/);
    expect(made.content).toContain('Declined');
  });

  test('marks the receipt of a voided payment', async () => {
    const { api } = fixture();
    const { transactionId } = await createSale(fixture());
    await expectData(api.admin.post(`/transactions/${transactionId}/void`));
    expect((await print(fixture(), transactionId)).content).toContain('*** VOID ***');
  });

  test('names the invoice on the receipt of its payment', async () => {
    const { api } = fixture();
    const { customerId } = await expectData(
      api.admin.post<{ customerId: string }>('/customers', { firstName: 'Ada', email: 'ada@example.com' }),
      201,
    );
    const { invoiceId, number } = await createInvoice(fixture(), customerId, { amount: 40 });
    const card = { number: CARDS.visa, expiryMonth: '12', expiryYear: '2031', cvv: '123' };
    const paid = await expectData(payInvoice(fixture(), invoiceId, { paymentMethod: 'card', card }));
    const transactionId = paid.payments[0]?.transactionId ?? '';
    expect((await print(fixture(), transactionId)).content).toContain(number);
  });

  test('writes the description as text, in the language of the merchant', async () => {
    const { api } = fixture();
    const { merchantId } = await expectData(api.admin.post<{ merchantId: string }>('/merchants', { name: 'Tienda', currency: 'USD' }), 201);
    await expectData(api.admin.put(`/merchants/${merchantId}/settings`, { language: 'es' }));
    const { transactionId } = await createSale(fixture(), 5, {
      merchantId,
      description: 'pedido 12\n<script>1</script>@',
    });
    const html = await print(fixture(), transactionId, { format: 'html' });
    expect(html.content).toContain('Copia del cliente');
    expect(html.content).toContain('pedido 12');
    expect(html.content).not.toContain('<script');
    await expectError(
      api.admin.post('/transactions', cardBody(5, CARDS.visa, { merchantId, description: '\u001b@' })),
      400,
      'VALIDATION_ERROR',
      'description',
    );
  });

  test('refuses receipts of unknown records and of other merchants', async () => {
    const { api } = fixture();
    await expectError(api.admin.post(PRINT, {}), 400, 'REQUIRED_FIELD_MISSING', 'transactionId');
    await expectError(api.admin.post(PRINT, { transactionId: 'txn_nothing' }), 404, 'TRANSACTION_NOT_FOUND');
    await expectError(api.admin.post(PRINT, { transactionId: 'txn_nothing', width: 'A4' }), 400, 'VALIDATION_ERROR', 'width');
    const { transactionId } = await createSale(fixture());
    const { merchantId } = await expectData(api.admin.post<{ merchantId: string }>('/merchants', { name: 'Another' }), 201);
    const stranger = await createUser(fixture(), 'manager', {}, merchantId);
    await expectError(api.admin.post(PRINT, { transactionId }, stranger.headers), 403, 'MERCHANT_NOT_AUTHORIZED');
    await expectError(api.admin.get(`/notifications/receipts/${transactionId}/pdf`, stranger.headers), 403, 'MERCHANT_NOT_AUTHORIZED');
    for (const kind of ['email', 'sms'])
      await expectError(
        api.admin.post(
          `/notifications/receipt/${kind}`,
          { transactionId, email: 'a@example.com', phone: '+12075550142' },
          stranger.headers,
        ),
        403,
        'MERCHANT_NOT_AUTHORIZED',
      );
  });
});

describeOnAnyDatabase('sending a receipt', (fixture) => {
  const EMAIL = '/notifications/receipt/email';
  const SMS = '/notifications/receipt/sms';

  test('emails the receipt with its PDF to the given address, or to that of the payment', async () => {
    const { api } = fixture();
    const { transactionId, authCode } = await createSale(fixture(), 42, { customer: { email: 'ada@example.com', name: 'Ada' } });
    const own = await expectData(api.admin.post<{ messageId: string }>(EMAIL, { transactionId }));
    const message = await messageOf(fixture(), own.messageId);
    expect(message).toMatchObject({
      channel: 'email',
      kind: 'receipt',
      resourceId: transactionId,
      to: 'ada@example.com',
      attachment: `receipt:${transactionId}`,
    });
    expect(message.subject).toContain('receipt');
    for (const part of ['42.00 USD', 'Visa ****1111', authCode ?? '']) expect(message.body).toContain(part);
    expect(message.body.replace(authCode ?? '', '')).not.toMatch(/\b(2031|4111)/);
    const other = await expectData(api.admin.post<{ messageId: string }>(EMAIL, { transactionId, email: 'bob@example.com' }));
    expect(await messageOf(fixture(), other.messageId)).toMatchObject({ to: 'bob@example.com' });
  });

  test("attaches the refund's own PDF to its receipt", async () => {
    const { api } = fixture();
    const { transactionId } = await createSale(fixture(), 42, { customer: { email: 'ada@example.com' } });
    const { refundId } = await refundOf(fixture(), transactionId, 2);
    const { messageId } = await expectData(api.admin.post<{ messageId: string }>(EMAIL, { transactionId, refundId }));
    const message = await messageOf(fixture(), messageId);
    expect(message).toMatchObject({ resourceId: transactionId, attachment: `receipt:${refundId}` });
    expect(message.subject).toContain('refund');
    expect(message.body).toContain('2.00 USD');
  });

  test('sends a receipt as one short text message', async () => {
    const { api } = fixture();
    const { transactionId, authCode } = await createSale(fixture(), 42);
    const { messageId } = await expectData(api.admin.post<{ messageId: string }>(SMS, { transactionId, phone: '+12075550142' }));
    const message = await messageOf(fixture(), messageId);
    expect(message).toMatchObject({ channel: 'sms', kind: 'receipt', to: '+12075550142', subject: null, attachment: null });
    for (const part of ['42.00 USD', 'Visa ****1111', authCode ?? '']) expect(message.body).toContain(part);
    expect(message.body.length).toBeLessThan(160);
  });

  test('writes a sent receipt to the audit log', async () => {
    const { api } = fixture();
    const { transactionId } = await createSale(fixture(), 42);
    await expectData(api.admin.post(EMAIL, { transactionId, email: 'audit@example.com' }));
    const [entry] = await expectData(api.admin.get<{ action: string; resource: string }[]>('/audit-logs?action=receipt.sent&limit=1'));
    expect(entry).toMatchObject({ action: 'receipt.sent', resource: `transactions/${transactionId}` });
  });

  test('refuses to send without an address, to an invalid one, and for payments that were not approved', async () => {
    const { api } = fixture();
    const { transactionId } = await createSale(fixture(), 42);
    await expectError(api.admin.post(EMAIL, { transactionId }), 400, 'REQUIRED_FIELD_MISSING', 'email');
    await expectError(api.admin.post(EMAIL, { transactionId, email: 'nobody' }), 400, 'INVALID_EMAIL', 'email');
    await expectError(api.admin.post(SMS, { transactionId }), 400, 'REQUIRED_FIELD_MISSING', 'phone');
    await expectError(api.admin.post(SMS, { transactionId, phone: '207' }), 400, 'INVALID_PHONE', 'phone');
    const no = await declined(fixture());
    for (const [path, more] of [
      [EMAIL, { email: 'a@example.com' }],
      [SMS, { phone: '+12075550142' }],
    ] as const) {
      const error = await expectError(api.admin.post(path, { transactionId: no.transactionId, ...more }), 409, 'RESOURCE_CONFLICT');
      expect(error.details).toEqual({ reason: 'not_approved', status: 'declined' });
      await expectError(api.admin.post(path, { transactionId: 'txn_nothing', ...more }), 404, 'TRANSACTION_NOT_FOUND');
    }
  });

  test('refuses receipts to users who may only read', async () => {
    const { api } = fixture();
    const { transactionId } = await createSale(fixture());
    const viewer = await createUser(fixture(), 'viewer');
    await expectError(api.admin.post(EMAIL, { transactionId, email: 'a@example.com' }, viewer.headers), 403, 'PERMISSION_DENIED');
    await expectError(api.admin.post(SMS, { transactionId, phone: '+12075550142' }, viewer.headers), 403, 'PERMISSION_DENIED');
    await expectData(api.admin.post(PRINT, { transactionId }, viewer.headers));
  });
});

describeOnAnyDatabase('a receipt as PDF', (fixture) => {
  test('shows payment and refund in the PDF', async () => {
    const { transactionId, authCode } = await createSale(fixture(), 42, { description: 'Ñandú' });
    const { refundId } = await refundOf(fixture(), transactionId, 2);
    const { type, bytes } = await bytesOf(fixture(), `/notifications/receipts/${transactionId}/pdf`);
    expect(type).toBe('application/pdf');
    const { text, pages } = await readPdf(bytes);
    expect(pages).toHaveLength(1);
    for (const part of ['SANDBOX', '42.00 USD', 'Visa ****1111', authCode ?? '', 'Ñandú']) expect(text).toContain(part);
    const refund = await readPdf((await bytesOf(fixture(), `/notifications/receipts/${transactionId}/pdf?refundId=${refundId}`)).bytes);
    expect(refund.text).toContain('Refunded 2.00 USD');
  });

  test('returns no PDF for unknown records', async () => {
    await expectError(fixture().api.admin.get('/notifications/receipts/txn_nothing/pdf'), 404, 'TRANSACTION_NOT_FOUND');
  });

  test('marks the PDF of a sandbox invoice and links to its page', FULL, async () => {
    const { api } = fixture();
    const { customerId } = await expectData(
      api.admin.post<{ customerId: string }>('/customers', { firstName: 'Ada', email: 'ada@example.com' }),
      201,
    );
    const { invoiceId, number, url } = await createInvoice(fixture(), customerId);
    const { text, codes } = await readPdf((await bytesOf(fixture(), `/invoices/${invoiceId}/pdf`)).bytes);
    expect(text).toContain(number);
    expect(text).toContain('SANDBOX');
    expect(codes).toEqual([url]);
  });
});
