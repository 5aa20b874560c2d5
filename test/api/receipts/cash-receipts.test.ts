import { expect, test } from 'vitest';
import { readEscpos } from '../../support/fake-printer.ts';
import { cardPaymentBody, createInvoice, type InvoiceRecord, payInvoice } from '../../support/invoices.ts';
import { createSale } from '../../support/sales.ts';
import { type ApiFixture, describeOnAnyDatabase, expectData, expectError } from '../../support/server.ts';
import { createUser } from '../../support/users.ts';

interface Printed {
  content: string;
  width: string;
  isDuplicate: boolean;
}

const PRINT = '/notifications/receipt/print';
const DRAWER = '/notifications/drawer';

/** Creates an invoice of 30.00 with a payment; returns both IDs. */
async function paid(
  fixture: ApiFixture,
  body: Record<string, unknown>,
  invoice?: InvoiceRecord,
): Promise<{ invoice: InvoiceRecord; paymentId: string }> {
  const { api } = fixture;
  const customer =
    invoice ?? (await expectData(api.admin.post<{ customerId: string }>('/customers', { firstName: 'Ana', lastName: 'Muñoz' }), 201));
  const owed = invoice ?? (await createInvoice(fixture, customer.customerId ?? '', { amount: 30 }));
  const after = await expectData(payInvoice(fixture, owed.invoiceId, body));
  return { invoice: after, paymentId: after.payments.at(-1)?.paymentId ?? '' };
}

const print = ({ api }: ApiFixture, paymentId: string, more: object = {}, headers?: Record<string, string>) =>
  expectData(api.admin.post<Printed>(PRINT, { paymentId, format: 'text', ...more }, headers));

const bytesOf = async (fixture: ApiFixture, paymentId: string, more: object = {}) =>
  readEscpos(Buffer.from((await print(fixture, paymentId, { format: 'escpos', ...more })).content, 'base64'));
const pulsesOf = ({ commands }: { commands: string[] }) => commands.filter((command) => command.startsWith('ESC p'));

describeOnAnyDatabase('a receipt of a cash or check payment', (fixture) => {
  test('shows payer, purpose, method and the amount due right after the payment, also in later prints', async () => {
    const { invoice, paymentId } = await paid(fixture(), { amount: 20 });
    const check = await paid(fixture(), { paymentMethod: 'check', reference: '1042', amount: 10 }, invoice);
    const cash = await print(fixture(), paymentId, { width: '80mm' });
    for (const part of ['SANDBOX', 'Payment received', invoice.number, 'Ana Muñoz', 'Customer copy']) expect(cash.content).toContain(part);
    expect(cash.content).toMatch(/Paid by +Cash/);
    expect(cash.content).toMatch(/Paid +20\.00 USD/);
    expect(cash.content).toMatch(/Amount due +10\.00 USD/);
    const second = await print(fixture(), check.paymentId);
    expect(second.content).toMatch(/Paid by +Check 1042/);
    expect(second.content).toMatch(/Amount due +0\.00 USD/);
  });

  test('says DUPLICATE from the second print on, each copy apart', async () => {
    const { paymentId } = await paid(fixture(), {});
    expect((await print(fixture(), paymentId, { preview: true })).isDuplicate).toBe(false);
    expect((await print(fixture(), paymentId)).isDuplicate).toBe(false);
    expect((await print(fixture(), paymentId)).content).toContain('*** DUPLICATE ***');
    expect((await print(fixture(), paymentId, { copy: 'merchant' })).isDuplicate).toBe(false);
  });

  test('uses the language and the paper width of the merchant', async () => {
    const { api } = fixture();
    const { merchantId } = await expectData(api.admin.post<{ merchantId: string }>('/merchants', { name: 'Tienda', currency: 'USD' }), 201);
    await expectData(api.admin.put(`/merchants/${merchantId}/settings`, { language: 'es' }));
    await expectData(api.admin.put(`/merchants/${merchantId}/vt-settings`, { receiptWidth: '58mm' }));
    const customer = await expectData(api.admin.post<{ customerId: string }>('/customers', { firstName: 'Íñigo', merchantId }), 201);
    const owed = await createInvoice(fixture(), customer.customerId, { amount: 30, merchantId });
    const { paymentId } = await paid(fixture(), { amount: 12 }, owed);
    const made = await print(fixture(), paymentId);
    expect(made.width).toBe('58mm');
    expect(made.content).toMatch(/Pagado con +Efectivo/);
    expect(made.content).toMatch(/Importe pendiente +18\.00 USD/);
    for (const line of made.content.split('\n')) expect([...line].length).toBeLessThanOrEqual(32);
    const { lines } = await bytesOf(fixture(), paymentId, { preview: true, columns: 35 });
    expect(lines.some((line) => line.includes(Buffer.from([0xd6, 0xa4])))).toBe(true); // Íñ of CP858
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(35);
  });

  test('opens the drawer once before printing, only for cash and with the permission', async () => {
    const { api } = fixture();
    const { invoice, paymentId } = await paid(fixture(), { amount: 5 });
    expect(pulsesOf(await bytesOf(fixture(), paymentId, { preview: true }))).toEqual([]);
    const first = await bytesOf(fixture(), paymentId, { drawerPin: 5 });
    expect(pulsesOf(first)).toEqual(['ESC p 1 50 250']);
    expect(first.commands.indexOf('ESC p 1 50 250')).toBeLessThan(first.commands.findIndex((command) => command.startsWith('ESC E')));
    expect(pulsesOf(await bytesOf(fixture(), paymentId, { drawerPin: 5 }))).toEqual([]);
    const check = await paid(fixture(), { paymentMethod: 'check', reference: '7', amount: 5 }, invoice);
    await expectError(api.admin.post(PRINT, { paymentId: check.paymentId, drawerPin: 2 }), 400, 'VALIDATION_ERROR', 'drawerPin');
    const { transactionId } = await createSale(fixture());
    await expectError(api.admin.post(PRINT, { transactionId, format: 'escpos', drawerPin: 2 }), 400, 'VALIDATION_ERROR', 'drawerPin');
    await expectError(api.admin.post(PRINT, { paymentId, drawerPin: 3 }), 400, 'VALIDATION_ERROR', 'drawerPin');
    const viewer = await createUser(fixture(), 'viewer');
    await expectError(api.admin.post(PRINT, { paymentId, drawerPin: 2 }, viewer.headers), 403, 'PERMISSION_DENIED');
    await print(fixture(), paymentId, { preview: true }, viewer.headers);
  });

  test('returns the receipt of the transaction for a card payment of an invoice', async () => {
    const { paymentId } = await paid(fixture(), cardPaymentBody('4111111111111111', { amount: 30 }));
    const { content } = await print(fixture(), paymentId);
    expect(content).toContain('Visa ****1111');
    expect(content).not.toContain('Payment received');
  });

  test('returns the receipt to its merchant only', async () => {
    const { api, credentials } = fixture();
    const { paymentId } = await paid(fixture(), {});
    await expectError(api.admin.post(PRINT, { paymentId: 'ivp_nothing' }), 404, 'NOT_FOUND');
    const { merchantId } = await expectData(api.admin.post<{ merchantId: string }>('/merchants', { name: 'Another' }), 201);
    const stranger = await createUser(fixture(), 'manager', {}, merchantId);
    await expectError(api.admin.post(PRINT, { paymentId }, stranger.headers), 403, 'MERCHANT_NOT_AUTHORIZED');
    await expectError(
      api.admin.post(DRAWER, { merchantId: credentials.merchantId, pin: 2, reason: 'x' }, stranger.headers),
      403,
      'MERCHANT_NOT_AUTHORIZED',
    );
    const { standardTenantId: tenantId, standardAdminEmail: email, standardAdminPassword: password } = credentials;
    const { token } = await expectData(
      api.bare.post<{ token: string }>('/api/v1/auth/login', { email, password }, { 'X-Tenant-ID': tenantId }),
    );
    const elsewhere = { 'X-Tenant-ID': tenantId, Authorization: `Bearer ${token}` };
    await expectError(api.admin.post(PRINT, { paymentId }, elsewhere), 404, 'NOT_FOUND');
  });
});

describeOnAnyDatabase('the cash drawer', (fixture) => {
  test('opens the drawer without a payment for users who may take cash, with a reason in the audit log', async () => {
    const { api } = fixture();
    const made = await expectData(api.admin.post<Printed>(DRAWER, { pin: 2, reason: 'Change for the till' }));
    expect(pulsesOf(readEscpos(Buffer.from(made.content, 'base64')))).toEqual(['ESC p 0 50 250']);
    const [entry] = await expectData(
      api.admin.get<{ action: string; after: Record<string, unknown> }[]>('/audit-logs?action=drawer.opened&limit=1'),
    );
    expect(entry).toMatchObject({ action: 'drawer.opened', after: { reason: 'Change for the till', pin: 2 } });
    await expectError(api.admin.post(DRAWER, { pin: 2 }), 400, 'REQUIRED_FIELD_MISSING', 'reason');
    await expectError(api.admin.post(DRAWER, { pin: 3, reason: 'x' }), 400, 'VALIDATION_ERROR', 'pin');
    const viewer = await createUser(fixture(), 'viewer');
    await expectError(api.admin.post(DRAWER, { pin: 2, reason: 'x' }, viewer.headers), 403, 'PERMISSION_DENIED');
  });
});
