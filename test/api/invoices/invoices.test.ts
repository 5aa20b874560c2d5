import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { createCustomer } from '../../support/customers.ts';
import { createInvoice, getInvoice, type InvoiceRecord, payInvoice } from '../../support/invoices.ts';
import { type Answer, describeOnAnyDatabase, expectData, expectError } from '../../support/server.ts';
import { createUser } from '../../support/users.ts';

interface MessageRecord {
  messageId: string;
  channel: string;
  kind: string;
  resourceId: string | null;
  to: string;
  subject: string | null;
  body: string;
  attachment: string | null;
}

const LINES = [
  { description: 'Work <script>alert(1)</script>', quantity: 1.5, unitPrice: 33.33 },
  { description: 'Parts', quantity: '3', unitPrice: '10.00' },
  { description: 'Gift', quantity: 2, unitPrice: 0 },
];

describeOnAnyDatabase('invoices', (fixture) => {
  test('creates a draft with the sum of its items, due in 30 days', async () => {
    const service = fixture();
    const { customerId, email } = await createCustomer(service, { phone: '+12075550142' });
    const made = await createInvoice(service, customerId, { amount: undefined, items: LINES, note: 'Thank you', description: 'Repair' });
    expect(made).toMatchObject({
      kind: 'invoice',
      status: 'draft',
      customerId,
      customer: { email, phone: '+12075550142' },
      amount: 80,
      amountPaid: 0,
      amountPending: 0,
      amountDue: 80,
      currency: 'USD',
      note: 'Thank you',
      description: 'Repair',
      allowPartial: false,
      isLocalOnly: true,
      payments: [],
    });
    // 1.5 times 33.33 is 49.995: half a cent is rounded up.
    expect(made.items.map(({ quantity, unitPrice, amount }) => [quantity, unitPrice, amount])).toEqual([
      [1.5, 33.33, 50],
      [3, 10, 30],
      [2, 0, 0],
    ]);
    const day = (at: string) => new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York', dateStyle: 'short' }).format(new Date(at));
    expect(Date.parse(made.dueDate ?? '') - Date.parse(day(made.createdAt))).toBe(30 * 86_400_000);
    expect(made.url).toMatch(new RegExp(`^${service.baseUrl}/pay/[0-9a-z]{26}$`));
    expect(made.shortUrl).toMatch(new RegExp(`^${service.baseUrl}/s/[0-9a-z]{8}$`));
    expect(await getInvoice(service, made.invoiceId)).toMatchObject(made);
  });

  test('names the field of invalid input', async () => {
    const service = fixture();
    const { customerId } = await createCustomer(service);
    const refused = (body: Record<string, unknown>, code: string, field: string) =>
      expectError(service.api.admin.post('/invoices', { customerId, ...body }), 400, code, field);
    const item = { description: 'Work', quantity: 1, unitPrice: 10 };
    await refused({}, 'REQUIRED_FIELD_MISSING', 'amount');
    await refused({ amount: 0 }, 'INVALID_AMOUNT', 'amount');
    await refused({ amount: '1.005' }, 'INVALID_AMOUNT', 'amount');
    await refused({ amount: 5, customerId: undefined }, 'REQUIRED_FIELD_MISSING', 'customerId');
    await refused({ amount: 5, currency: 'XYZ1' }, 'INVALID_CURRENCY', 'currency');
    await refused({ amount: 5, dueDate: '2027-02-30' }, 'INVALID_DATE', 'dueDate');
    await refused({ amount: 5, dueDate: '0226-01-01' }, 'INVALID_DATE', 'dueDate');
    await refused({ amount: 5, dueDate: '1826-01-01' }, 'VALIDATION_ERROR', 'dueDate');
    await refused({ amount: 5, dueDate: '9999-12-31' }, 'VALIDATION_ERROR', 'dueDate');
    await refused({ amount: 5, dueDate: '9999-12-31' }, 'VALIDATION_ERROR', 'dueDate');
    await refused({ amount: 9.99, items: [item] }, 'VALIDATION_ERROR', 'amount');
    await refused({ items: [{ ...item, unitPrice: 0 }] }, 'INVALID_AMOUNT', 'amount');
    await refused({ items: [{ quantity: 1, unitPrice: 10 }] }, 'REQUIRED_FIELD_MISSING', 'items.0.description');
    await refused({ items: [item, { ...item, description: ' ' }] }, 'REQUIRED_FIELD_MISSING', 'items.1.description');
    await refused({ items: [{ ...item, quantity: 0 }] }, 'VALIDATION_ERROR', 'items.0.quantity');
    await refused({ items: [{ ...item, quantity: 0.0001 }] }, 'VALIDATION_ERROR', 'items.0.quantity');
    await refused({ items: [{ ...item, unitPrice: -1 }] }, 'INVALID_AMOUNT', 'items.0.unitPrice');
    await refused({ items: [{ ...item, unitPrice: '0.001' }] }, 'INVALID_AMOUNT', 'items.0.unitPrice');
    await refused({ items: [{ ...item, quantity: 999_999_999, unitPrice: '99999999999' }] }, 'INVALID_AMOUNT', 'items');
    await refused({ items: Array.from({ length: 201 }, () => item) }, 'VALIDATION_ERROR', 'items');
    await expectError(service.api.admin.post('/invoices', { customerId: 'cus_nobody', amount: 5 }), 404, 'CUSTOMER_NOT_FOUND');
    await expectError(service.api.admin.get('/invoices/inv_nothing'), 404, 'INVOICE_NOT_FOUND');
    expect((await service.api.admin.post('/invoices', { customerId, amount: 12, items: [item, { ...item, unitPrice: 2 }] })).status).toBe(
      201,
    );
  });

  test("refuses another merchant's customer, and shows a merchant's key that merchant's invoices only", async () => {
    const service = fixture();
    const { admin, bare } = service.api;
    const other = await expectData(admin.post<{ merchantId: string }>('/merchants', { name: 'North' }), 201);
    const theirs = await createCustomer(service, { merchantId: other.merchantId });
    const { customerId, merchantId } = await createCustomer(service);
    await expectError(
      admin.post('/invoices', { customerId, amount: 5, merchantId: other.merchantId }),
      400,
      'VALIDATION_ERROR',
      'customerId',
    );
    const hidden = await createInvoice(service, theirs.customerId);
    const seen = await createInvoice(service, customerId);
    // Each merchant has its own numbers.
    expect(hidden.number).toBe('INV-000001');
    const key = { name: 'desk', scope: 'merchant', merchantId, currentPassword: service.credentials.adminPassword };
    const { key: apiKey } = await expectData(admin.post<{ key: string }>('/api-keys', key), 201);
    const asKey = { 'x-api-key': apiKey, 'X-Tenant-ID': service.credentials.tenantId };
    const shorten = (url: string) => bare.post('/api/v1/public/shorten-url', { url }, asKey);
    await expectData(shorten(seen.url));
    await expectError(shorten(hidden.url), 400, 'VALIDATION_ERROR', 'url');
    const { headers } = await createUser(service, 'manager', {}, other.merchantId);
    const mine = await expectData(bare.get<InvoiceRecord[]>('/api/v1/invoices', headers));
    expect(mine.map(({ invoiceId }) => invoiceId)).toEqual([hidden.invoiceId]);
    const at = (path: string) => `/api/v1/invoices/${seen.invoiceId}${path}`;
    for (const path of ['', '/qr-code', '/pdf']) await expectError(bare.get(at(path), headers), 403, 'MERCHANT_NOT_AUTHORIZED');
    for (const path of ['/send', '/cancel']) await expectError(bare.post(at(path), {}, headers), 403, 'MERCHANT_NOT_AUTHORIZED');
    await expectError(bare.post(at('/payment'), { amount: 1, paymentMethod: 'cash' }, headers), 403, 'MERCHANT_NOT_AUTHORIZED');
    const list = await expectData(admin.get<InvoiceRecord[]>(`/invoices?merchantId=${other.merchantId}`));
    expect(list.map(({ invoiceId }) => invoiceId)).toEqual([hidden.invoiceId]);
  });

  test('numbers invoices without gaps, also after failures and repeated requests', async () => {
    const service = fixture();
    const { merchantId } = await expectData(service.api.admin.post<{ merchantId: string }>('/merchants', { name: 'Counted' }), 201);
    const { customerId } = await createCustomer(service, { merchantId });
    const key = randomUUID();
    const post = (index: number): Promise<Answer<InvoiceRecord>> => {
      const body = { customerId, amount: index % 4 === 0 ? 0 : 5 };
      return service.api.admin.post('/invoices', body, index % 4 === 1 ? { 'Idempotency-Key': key } : undefined);
    };
    const answers = await Promise.all(Array.from({ length: 24 }, (_, index) => post(index)));
    await expectData(service.api.admin.post('/payment-links', { amount: 3, merchantId }), 201);
    const rest = await expectData(service.api.admin.get<InvoiceRecord[]>(`/invoices?merchantId=${merchantId}&limit=200`));
    const numbers = rest.map(({ number }) => Number(number.slice('INV-'.length))).sort((left, right) => left - right);
    expect(numbers).toEqual(numbers.map((_, index) => index + 1));
    // Twelve plain ones, one under the key, and one link.
    expect(numbers.length).toBe(14);
    const same = answers.filter(({ status }, index) => index % 4 === 1 && status === 201).map(({ text }) => text);
    expect(new Set(same).size).toBe(1);
    const replay = await post(1);
    expect([replay.status, replay.text, replay.headers.get('idempotent-replayed')]).toEqual([201, same[0], 'true']);
  });

  test('allows changes of drafts only', async () => {
    const service = fixture();
    const { customerId } = await createCustomer(service);
    const { customerId: another, email } = await createCustomer(service);
    const { invoiceId, number } = await createInvoice(service, customerId, { note: 'old' });
    const put = (body: unknown) => service.api.admin.put<InvoiceRecord>(`/invoices/${invoiceId}`, body);
    expect(await expectData(put({ items: LINES.slice(1), dueDate: '2026-02-03' }))).toMatchObject({
      amount: 30,
      dueDate: '2026-02-03',
      number,
    });
    await expectError(put({ amount: 31 }), 400, 'VALIDATION_ERROR', 'amount');
    await expectError(put({ currency: 'JPY' }), 400, 'REQUIRED_FIELD_MISSING', 'amount');
    expect(await expectData(put({ items: [] }))).toMatchObject({ amount: 30, items: [] });
    expect(await expectData(put({ amount: 500, currency: 'JPY', note: null, allowPartial: true }))).toMatchObject({
      amount: 500,
      currency: 'JPY',
      note: null,
      allowPartial: true,
    });
    expect(await expectData(put({ customerId: another }))).toMatchObject({ customerId: another, customer: { email } });
    await expectData(service.api.admin.post(`/invoices/${invoiceId}/send`, {}));
    expect(await expectError(put({ note: 'new' }), 409, 'RESOURCE_CONFLICT')).toMatchObject({ details: { reason: 'not_a_draft' } });
    await expectData(payInvoice(service, invoiceId));
    await expectError(put({ note: 'new' }), 409, 'INVOICE_ALREADY_PAID');
    const { invoiceId: dropped } = await createInvoice(service, customerId);
    await expectData(service.api.admin.post(`/invoices/${dropped}/cancel`, { reason: 'wrong' }));
    await expectError(service.api.admin.put(`/invoices/${dropped}`, { note: 'new' }), 422, 'INVOICE_CANCELLED');
  });

  test('cancels an invoice once', async () => {
    const service = fixture();
    const { customerId } = await createCustomer(service);
    const { invoiceId } = await createInvoice(service, customerId);
    await expectData(payInvoice(service, invoiceId, { amount: 40 }));
    const cancel = () => service.api.admin.post<InvoiceRecord>(`/invoices/${invoiceId}/cancel`, { reason: 'moved away' });
    expect(await expectData(cancel())).toMatchObject({ status: 'cancelled', cancelReason: 'moved away', amountPaid: 40 });
    await expectError(cancel(), 422, 'INVOICE_CANCELLED');
    await expectError(service.api.admin.post(`/invoices/${invoiceId}/send`, {}), 422, 'INVOICE_CANCELLED');
    await expectError(payInvoice(service, invoiceId), 422, 'INVOICE_CANCELLED');
    const { invoiceId: paid } = await createInvoice(service, customerId);
    await expectData(payInvoice(service, paid));
    await expectError(service.api.admin.post(`/invoices/${paid}/cancel`), 409, 'INVOICE_ALREADY_PAID');
    await expectError(service.api.admin.post(`/invoices/${paid}/send`, {}), 409, 'INVOICE_ALREADY_PAID');
  });

  test('sends an invoice in the language of the merchant with escaped text, and a second time as a reminder', async () => {
    const service = fixture();
    const { admin } = service.api;
    const { customerId, email } = await createCustomer(service, { phone: '+12075550142' });
    const { invoiceId, number, shortUrl, url } = await createInvoice(service, customerId, { dueDate: '2039-02-03' });
    const send = (body: Record<string, unknown>) =>
      admin.post<InvoiceRecord & { messageIds: string[] }>(`/invoices/${invoiceId}/send`, body);
    const sent = await expectData(send({ sendVia: ['email', 'sms'], message: 'Hello <b>you</b>\u202e\nSecond line' }));
    expect(sent).toMatchObject({ status: 'sent', sentAt: expect.any(String), delivery: { status: 'waiting' } });
    const messageOf = (id: string | undefined) => expectData(admin.get<MessageRecord>(`/notifications/messages/${id}`));
    const sentMessage = await messageOf(sent.messageIds[0]);
    expect(sentMessage).toMatchObject({
      channel: 'email',
      kind: 'invoice',
      resourceId: invoiceId,
      to: email,
      attachment: `invoice:${invoiceId}`,
    });
    expect(sentMessage.subject).toContain(`Invoice ${number} from`);
    expect(sentMessage.body).toContain(url);
    expect(sentMessage.body).toContain('100.00 USD is due on Feb 3, 2039.');
    expect(sentMessage.body).toContain('Hello <b>you</b>\nSecond line');
    const text = await messageOf(sent.messageIds[1]);
    expect(text).toMatchObject({ channel: 'sms', to: '+12075550142', subject: null });
    expect(text.body).toContain(`100.00 USD: ${shortUrl}`);
    expect(text.body.length).toBeLessThan(160);
    await expectData(admin.put(`/merchants/${service.credentials.merchantId}/settings`, { language: 'es' }));
    const again = await expectData(send({ email: 'other@customer.example' }));
    await expectData(admin.put(`/merchants/${service.credentials.merchantId}/settings`, { language: 'en' }));
    expect(again.sentAt).toBe(sent.sentAt);
    expect(await messageOf(again.messageIds[0])).toMatchObject({
      to: 'other@customer.example',
      subject: expect.stringContaining(`Recordatorio: factura ${number}`),
    });
    await expectError(send({ email: 'nobody' }), 400, 'INVALID_EMAIL', 'email');
    await expectError(send({ sendVia: ['sms'], phone: '555' }), 400, 'INVALID_PHONE', 'phone');
    await expectError(send({ sendVia: ['fax'] }), 400, 'VALIDATION_ERROR');
    const bare = await createCustomer(service, { email: null });
    const { invoiceId: mute } = await createInvoice(service, bare.customerId);
    await expectError(admin.post(`/invoices/${mute}/send`, {}), 400, 'REQUIRED_FIELD_MISSING', 'email');
    await expectError(admin.post(`/invoices/${mute}/send`, { sendVia: ['sms'] }), 400, 'REQUIRED_FIELD_MISSING', 'phone');
    expect((await getInvoice(service, mute)).status).toBe('draft');
  });

  test('searches invoices by number, ID and customer, and filters them by status, kind and date', async () => {
    const service = fixture();
    const { merchantId } = await expectData(
      service.api.admin.post<{ merchantId: string }>('/merchants', { name: 'Listed', timezone: 'Pacific/Auckland' }),
      201,
    );
    const ann = await createCustomer(service, { merchantId, firstName: 'Zebulon', lastName: 'Quill' });
    const ben = await createCustomer(service, { merchantId, firstName: 'Ben' });
    const first = await createInvoice(service, ann.customerId);
    const second = await createInvoice(service, ben.customerId);
    await expectData(payInvoice(service, second.invoiceId));
    const made = await expectData(
      service.api.admin.post<{ invoiceId: string }>('/payment-links', { amount: 3, merchantId, customerEmail: 'Link@Customer.example' }),
      201,
    );
    const found = async (query: string) => {
      const list = await expectData(service.api.admin.get<InvoiceRecord[]>(`/invoices?merchantId=${merchantId}&${query}`));
      return list.map(({ invoiceId }) => invoiceId);
    };
    const [one, two, three] = [first.invoiceId, second.invoiceId, made.invoiceId];
    expect(await found('')).toEqual([three, two, one]);
    expect(await found('q=zebu%20qui')).toEqual([one]);
    expect(await found('q=inv-000002')).toEqual([two]);
    expect(await found('q=2')).toEqual([two]);
    expect(await found(`q=${one}`)).toEqual([one]);
    expect(await found('q=link@customer.example')).toEqual([three]);
    expect(await found('q=nobody')).toEqual([]);
    expect(await found('status=paid')).toEqual([two]);
    expect(await found('kind=link')).toEqual([three]);
    expect(await found(`customerId=${ann.customerId}`)).toEqual([one]);
    const day = new Intl.DateTimeFormat('en-CA', { timeZone: 'Pacific/Auckland', dateStyle: 'short' }).format(new Date(first.createdAt));
    const next = new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10);
    expect(await found(`startDate=${day}&endDate=${day}`)).toEqual([three, two, one]);
    expect(await found(`startDate=${next}`)).toEqual([]);
    await expectError(service.api.admin.get('/invoices?startDate=2027-13-01'), 400, 'INVALID_DATE', 'startDate');
    await expectError(service.api.admin.get('/invoices?startDate=0999-01-01'), 400, 'INVALID_DATE', 'startDate');
    await expectData(service.api.admin.get('/invoices?startDate=1000-01-01&endDate=9999-12-31'));
    await expectError(service.api.admin.get('/invoices?startDate=2027-01-02&endDate=2027-01-01'), 400, 'VALIDATION_ERROR', 'endDate');
    await expectData(service.api.admin.post(`/invoices/${one}/send`, {}));
    const summary = await expectData(service.api.admin.get(`/invoices/summary?merchantId=${merchantId}`));
    expect(summary).toEqual({
      currency: 'USD',
      outstanding: { count: 2, amount: 103 },
      overdue: { count: 0, amount: 0 },
      paidIn30Days: { count: 1, amount: 100 },
    });
  });

  test('returns the QR code as a data URL or picture, and the PDF', async () => {
    const service = fixture();
    const { customerId } = await createCustomer(service);
    const { invoiceId, url, number } = await createInvoice(service, customerId);
    const data = await expectData(service.api.admin.get<{ url: string; qrCode: string }>(`/invoices/${invoiceId}/qr-code`));
    expect(data.url).toBe(url);
    expect(data.qrCode).toMatch(/^data:image\/png;base64,iVBOR/);
    const picture = await service.api.admin.get(`/invoices/${invoiceId}/qr-code`, { Accept: 'image/png' });
    expect(picture.headers.get('content-type')).toBe('image/png');
    const pdf = await service.api.admin.get(`/invoices/${invoiceId}/pdf`);
    expect([pdf.status, pdf.headers.get('content-type')]).toEqual([200, 'application/pdf']);
    expect(pdf.headers.get('content-disposition')).toContain(`${number}.pdf`);
    expect(pdf.text.slice(0, 5)).toBe('%PDF-');
    await expectError(service.api.admin.get('/invoices/inv_nothing/pdf'), 404, 'INVOICE_NOT_FOUND');
    await expectError(service.api.admin.get('/invoices/inv_nothing/qr-code'), 404, 'INVOICE_NOT_FOUND');
  });

  test('keeps the invoices of a deleted customer with their name', async () => {
    const service = fixture();
    const { customerId } = await createCustomer(service, { firstName: 'Gone', lastName: 'Away' });
    const { invoiceId } = await createInvoice(service, customerId);
    await expectData(service.api.admin.delete(`/customers/${customerId}`));
    await expectData(service.api.admin.post(`/invoices/${invoiceId}/send`, { email: 'gone@customer.example' }));
    const left = await expectData(payInvoice(service, invoiceId, { paymentMethod: 'check', reference: '1042' }));
    expect(left).toMatchObject({ status: 'paid', customer: { name: 'Gone Away' }, payments: [{ method: 'check', reference: '1042' }] });
  });

  test('publishes changes to open screens', async () => {
    const service = fixture();
    const { customerId } = await createCustomer(service);
    const { headers } = await createUser(service, 'viewer');
    const stop = new AbortController();
    const stream = await fetch(`${service.baseUrl}/api/v1/changes`, { headers, signal: stop.signal });
    const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
    await createInvoice(service, customerId);
    let text = '';
    while (!text.includes('"invoices"')) text += (await reader?.read())?.value ?? '';
    stop.abort();
  });

  test('writes every change to the audit log', async () => {
    const service = fixture();
    const { customerId } = await createCustomer(service);
    const { invoiceId } = await createInvoice(service, customerId);
    await expectData(service.api.admin.put(`/invoices/${invoiceId}`, { note: 'n' }));
    await expectData(service.api.admin.post(`/invoices/${invoiceId}/send`, {}));
    await expectData(payInvoice(service, invoiceId, { amount: 1 }));
    await expectData(service.api.admin.post(`/invoices/${invoiceId}/cancel`));
    const entries = await expectData(service.api.admin.get<{ action: string }[]>(`/audit-logs?resource=invoices/${invoiceId}`));
    expect(entries.map(({ action }) => action).reverse()).toEqual([
      'invoice.created',
      'invoice.updated',
      'invoice.sent',
      'invoice.payment_received',
      'invoice.cancelled',
    ]);
  });
});
