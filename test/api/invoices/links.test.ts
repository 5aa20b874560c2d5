import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { createCustomer } from '../../support/customers.ts';
import { cardPaymentBody, createInvoice, createPaymentLink, getInvoice, type LinkRecord, payInvoice } from '../../support/invoices.ts';
import { startPublicHost } from '../../support/public-host.ts';
import { CARDS } from '../../support/sales.ts';
import { describeOnAnyDatabase, expectData, expectError } from '../../support/server.ts';

const soon = () => new Date(Date.now() + 3_600_000).toISOString();

describeOnAnyDatabase('payment links', (fixture) => {
  test('creates a link as a sent invoice with an amount only, once per key', async () => {
    const service = fixture();
    const key = { 'Idempotency-Key': randomUUID() };
    const expiresAt = soon();
    const body = { amount: '0.50', description: 'Deposit', customerEmail: 'Payer@Customer.example', expiresAt, allowPartial: true };
    const made = await service.api.public.post<LinkRecord>('/generate-url', body, key);
    const { invoiceId, url, shortUrl } = await expectData(made, 201);
    expect(Object.keys(made.body.data).toSorted()).toEqual(['invoiceId', 'isLocalOnly', 'messageIds', 'shortUrl', 'url']);
    expect((await service.api.public.post('/generate-url', body, key)).text).toBe(made.text);
    expect(await getInvoice(service, invoiceId)).toMatchObject({
      kind: 'link',
      status: 'sent',
      sentAt: null,
      amount: 0.5,
      customerId: null,
      customer: { name: null, email: 'payer@customer.example' },
      description: 'Deposit',
      dueDate: null,
      items: [],
      expiresAt,
      allowPartial: true,
      url,
      shortUrl,
    });
    const byDesk = await expectData(service.api.admin.post<LinkRecord>('/payment-links', { amount: 12 }), 201);
    expect(byDesk.url).not.toBe(url);
    await expectError(service.api.admin.put(`/invoices/${byDesk.invoiceId}`, { amount: 13 }), 409, 'RESOURCE_CONFLICT');
    expect(await expectData(payInvoice(service, byDesk.invoiceId, cardPaymentBody(CARDS.visa)))).toMatchObject({ status: 'paid' });
  });

  test('computes the amount of a link from lines and items, and lists them on the pay page', async () => {
    const service = fixture();
    const { api } = service;
    const coffee = await expectData(
      api.admin.post<{ itemId: string }>('/items', { name: 'Flat white', price: 4.5, taxRate: 8.875, key: `L${Date.now() % 100_000}` }),
      201,
    );
    const items = [
      { itemId: coffee.itemId, quantity: 3 },
      { description: 'Delivery', quantity: 1, unitPrice: 5 },
    ];
    const made = await expectData(api.public.post<LinkRecord>('/generate-url', { items, description: 'Office order' }), 201);
    // One unit costs 4.90 with its tax, which is rounded per unit.
    expect(await getInvoice(service, made.invoiceId)).toMatchObject({
      kind: 'link',
      amount: 19.7,
      items: [
        { description: 'Flat white', quantity: 3, unitPrice: 4.9, amount: 14.7 },
        { description: 'Delivery', quantity: 1, unitPrice: 5, amount: 5 },
      ],
    });
    const page = await (await fetch(made.url.replace(new URL(made.url).origin, service.baseUrl))).text();
    for (const text of ['Office order', 'Flat white', '14.70', 'Delivery', '19.70']) expect(page).toContain(text);
    const refused = (body: Record<string, unknown>, status: number, code: string, field: string) =>
      expectError(api.public.post('/generate-url', body), status, code, field);
    await refused({ items, amount: 19.71 }, 400, 'VALIDATION_ERROR', 'amount');
    await refused({ items: [{ itemId: 'itm_0', quantity: 1 }] }, 404, 'NOT_FOUND', 'items.0.itemId');
    await refused({ items: [{ quantity: 1, unitPrice: 5 }] }, 400, 'REQUIRED_FIELD_MISSING', 'items.0.description');
    await refused({ items: [{ description: 'Cup', quantity: 1 }] }, 400, 'REQUIRED_FIELD_MISSING', 'items.0.unitPrice');
    await refused({ items: [{ description: 'Gift', quantity: 1, unitPrice: 0 }] }, 400, 'INVALID_AMOUNT', 'amount');
  });

  test('names the field of invalid input', async () => {
    const { api } = fixture();
    const refused = (body: Record<string, unknown>, code: string, field: string) =>
      expectError(api.public.post('/generate-url', { amount: 5, ...body }), 400, code, field);
    await refused({ amount: undefined }, 'REQUIRED_FIELD_MISSING', 'amount');
    await refused({ amount: 0 }, 'INVALID_AMOUNT', 'amount');
    await refused({ currency: 'nope' }, 'INVALID_CURRENCY', 'currency');
    await refused({ customerEmail: 'nobody' }, 'INVALID_EMAIL', 'customerEmail');
    for (const expiresAt of ['2020-01-01T00:00:00Z', '2039-01-01', 'tomorrow', '2039-02-30T00:00:00Z'])
      await refused({ expiresAt }, 'VALIDATION_ERROR', 'expiresAt');
  });

  test('shortens only pay pages of the caller, and the same page always to the same address', async () => {
    const service = fixture();
    const { url, shortUrl } = await createPaymentLink(service);
    const shorten = (address: unknown) => service.api.public.post<{ shortUrl: string }>('/shorten-url', { url: address });
    expect(await expectData(shorten(url))).toEqual({ shortUrl });
    const { url: ofInvoice, shortUrl: short } = await createInvoice(service, (await createCustomer(service)).customerId);
    expect(await expectData(shorten(ofInvoice))).toEqual({ shortUrl: short });
    const token = url.split('/').at(-1);
    const strange = [
      'https://evil.example/pay/x',
      `https://evil.example/pay/${token}`,
      `${url}?next=https://evil.example`,
      `${url}#x`,
      `${url}/`,
      url.replace('http://', 'http://user:word@'),
      url.replace('/pay/', '/s/'),
      `${service.baseUrl}/pay/${'0'.repeat(26)}`,
      `${service.baseUrl}/`,
      'javascript:alert(1)',
      '',
      'x'.repeat(3_000),
    ];
    for (const address of strange) await expectError(shorten(address), 400, 'VALIDATION_ERROR', 'url');
    await expectError(shorten(undefined), 400, 'REQUIRED_FIELD_MISSING', 'url');
    // A page of another tenant counts as unknown.
    await expectError(service.api.standard.post('/shorten-url', { url }), 400, 'VALIDATION_ERROR', 'url');
  });

  test("uses a merchant's public address for links, and shortens both addresses", async () => {
    const service = fixture();
    const settings = (publicUrl: string | null) =>
      expectData(service.api.admin.put(`/merchants/${service.credentials.merchantId}/settings`, { publicUrl }));
    const publicHost = await startPublicHost(service.baseUrl);
    await settings(publicHost.url);
    const { invoiceId, url, shortUrl } = await createPaymentLink(service);
    expect([url, shortUrl].every((address) => address.startsWith(`${publicHost.url}/`))).toBe(true);
    expect((await getInvoice(service, invoiceId)).isLocalOnly).toBe(false);
    for (const address of [url, url.replace(publicHost.url, service.baseUrl)])
      expect(await expectData(service.api.public.post('/shorten-url', { url: address }))).toEqual({ shortUrl });
    await settings(null);
    publicHost.close();
    expect((await getInvoice(service, invoiceId)).url).toBe(url.replace(publicHost.url, service.baseUrl));
  });

  test('sends the short address by text message, with the amount in payment requests', async () => {
    const service = fixture();
    const { url, shortUrl, invoiceId } = await createPaymentLink(service, { amount: 12 });
    const text = (path: string, body: Record<string, unknown>) =>
      service.api.public.post<{ messageId: string; shortUrl: string }>(path, body);
    const bodyOf = async (id: string) =>
      (await expectData(service.api.admin.get<{ body: string; kind: string; to: string }>(`/notifications/messages/${id}`))).body;
    const plain = await expectData(text('/shorten-url-sms', { url, phone: '+12075550142' }));
    expect(plain.shortUrl).toBe(shortUrl);
    expect(await bodyOf(plain.messageId)).toMatch(new RegExp(`^Payment page of .+: ${shortUrl}$`));
    const asking = await expectData(text('/shorten-url-payment-sms', { url, phone: '+12075550142' }));
    expect(await bodyOf(asking.messageId)).toMatch(new RegExp(`^Pay 12.00 USD to .+: ${shortUrl}$`));
    for (const path of ['/shorten-url-sms', '/shorten-url-payment-sms']) {
      await expectError(text(path, { url, phone: '207' }), 400, 'INVALID_PHONE', 'phone');
      await expectError(text(path, { url }), 400, 'REQUIRED_FIELD_MISSING', 'phone');
      await expectError(text(path, { url: 'https://evil.example', phone: '+12075550142' }), 400, 'VALIDATION_ERROR', 'url');
    }
    await expectData(payInvoice(service, invoiceId));
    await expectError(text('/shorten-url-payment-sms', { url, phone: '+12075550142' }), 409, 'INVOICE_ALREADY_PAID');
  });

  test('sends a link by email with its purpose until it expires', async () => {
    const service = fixture();
    const { now } = await expectData(service.api.admin.get<{ now: string }>('/sandbox/clock'));
    const expiresAt = new Date(Date.parse(now) + 60_000).toISOString();
    const { invoiceId, url } = await createPaymentLink(service, {
      customerEmail: 'payer@customer.example',
      description: 'Deposit',
      expiresAt,
    });
    const send = () => service.api.admin.post<{ messageIds: string[] }>(`/invoices/${invoiceId}/send`, {});
    const { messageIds } = await expectData(send());
    const sentMessage = await expectData(service.api.admin.get<Record<string, string>>(`/notifications/messages/${messageIds[0]}`));
    expect(sentMessage).toMatchObject({ kind: 'link', to: 'payer@customer.example', attachment: null });
    expect(sentMessage.subject).toMatch(/^Payment request from .+: 25\.00 USD$/);
    for (const part of ['Deposit', 'until', url]) expect(sentMessage.body).toContain(part);
    await expectData(service.api.admin.post('/sandbox/clock', { advanceSeconds: 61 }));
    expect(await expectError(send(), 409, 'RESOURCE_CONFLICT')).toMatchObject({ details: { reason: 'expired' } });
  });
});
