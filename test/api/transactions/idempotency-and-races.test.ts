import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { CARDS, cardBody, createSale, type TransactionRecord } from '../../support/sales.ts';
import { describeOnAnyDatabase, describeOnBothDatabases, expectData, expectError } from '../../support/server.ts';

const key = () => ({ 'Idempotency-Key': randomUUID() });
const total = async (answer: Promise<{ body: { pagination: { total: number } } }>) => (await answer).body.pagination.total;

describeOnAnyDatabase('Idempotency-Key', (fixture) => {
  test('replays the first response byte for byte, even if the security code differs', async () => {
    const { api } = fixture();
    const headers = key();
    const first = await api.admin.post('/transactions', cardBody(21), headers);
    const other = { ...cardBody(21), card: { number: CARDS.visa, expiryMonth: '12', expiryYear: '2031', cvv: '999' } };
    const again = await api.admin.post('/transactions', other, headers);
    expect([again.status, again.text]).toEqual([first.status, first.text]);
    expect(first.headers.get('idempotent-replayed')).toBeNull();
    expect(again.headers.get('idempotent-replayed')).toBe('true');
  });

  test('refuses a key with another body or path', async () => {
    const { api } = fixture();
    const headers = key();
    const made = await expectData(api.admin.post<TransactionRecord>('/transactions', cardBody(22), headers));
    await expectError(api.admin.post('/transactions', cardBody(23), headers), 409, 'RESOURCE_CONFLICT');
    await expectError(api.admin.post(`/transactions/${made.transactionId}/void`, {}, headers), 409, 'RESOURCE_CONFLICT');
  });

  test('separates the keys of different credentials', async () => {
    const { api } = fixture();
    const headers = key();
    const mine = await expectData(api.admin.post<TransactionRecord>('/transactions', cardBody(24), headers));
    const theirs = await expectData(
      api.public.post<TransactionRecord>(
        '/transaction',
        { Amount: 24, CardNumber: CARDS.visa, ExpiryMonth: '12', ExpiryYear: '2031' },
        headers,
      ),
    );
    expect(theirs.transactionId).not.toBe(mine.transactionId);
  });

  test('stores declines, refusals by state and unknown outcomes, but not invalid input or gateway errors', async () => {
    const { api } = fixture();
    const replayed = async (path: string, body: unknown, headers: Record<string, string>) => {
      const first = await api.admin.post(path, body, headers);
      const again = await api.admin.post(path, body, headers);
      if (again.headers.get('idempotent-replayed') === 'true') expect([again.status, again.text]).toEqual([first.status, first.text]);
      return again.headers.get('idempotent-replayed') === 'true';
    };
    const { transactionId } = await createSale(fixture());
    expect(await replayed('/transactions', cardBody(20, CARDS.declined), key())).toBe(true);
    expect(await replayed(`/transactions/${transactionId}/capture`, {}, key())).toBe(true);
    expect(await replayed('/transactions', cardBody(20, CARDS.answerLost), key())).toBe(true);
    expect(await replayed('/transactions', cardBody(0), key())).toBe(false);
    expect(await replayed('/transactions', cardBody(20, CARDS.gatewayError), key())).toBe(false);
  });

  test('has one effect on every kind of POST: skipping a payment, creating a customer, sending an invoice, moving the clock', async () => {
    const { api } = fixture();
    const twice = async <Data>(path: string, body: unknown) => {
      const headers = key();
      const first = await api.admin.post<Data>(path, body, headers);
      const again = await api.admin.post<Data>(path, body, headers);
      expect([again.status, again.text, again.headers.get('idempotent-replayed')], path).toEqual([first.status, first.text, 'true']);
      return first.body.data;
    };
    const email = `${randomUUID()}@demo.example`;
    const { customerId } = await twice<{ customerId: string }>('/customers', { firstName: 'Ada', email });
    expect(await total(api.admin.get(`/customers?q=${email}`))).toBe(1);
    const { card } = cardBody(20);
    const plan = { customerId, amount: 20, frequency: 'monthly', startDate: '2045-01-15', card };
    const { subscriptionId } = await twice<{ subscriptionId: string }>('/recurring', plan);
    await twice(`/recurring/${subscriptionId}/skip-next`, {});
    expect(await expectData(api.admin.get(`/recurring/${subscriptionId}`))).toMatchObject({ nextPaymentDate: '2045-02-15' });
    await twice(`/recurring/${subscriptionId}/pause`, {});
    await twice(`/recurring/${subscriptionId}/pause`, {});
    const invoice = { customerId, amount: 20, dueDate: '2045-01-15' };
    const { invoiceId } = await twice<{ invoiceId: string }>('/invoices', invoice);
    const messages = () => total(api.admin.get('/sandbox/messages?limit=1'));
    const before = await messages();
    await twice(`/invoices/${invoiceId}/send`, { sendVia: ['email'], email });
    expect(await messages()).toBe(before + 1);
  });

  test('stores a response that contains a secret, and replays it to the same credential only', async () => {
    const { api } = fixture();
    const headers = key();
    const endpoint = { url: 'https://receiver.demo.example/hook', events: ['invoice.paid'] };
    const first = await api.admin.post<{ id: string; secret: string }>('/webhooks', endpoint, headers);
    expect(first.body.data.secret).toMatch(/^whsec_/);
    expect((await api.admin.post('/webhooks', endpoint, headers)).text).toBe(first.text);
    const rotated = await api.admin.post<{ secret: string }>(`/webhooks/${first.body.data.id}/rotate-secret`, {}, key());
    expect(rotated.body.data.secret).not.toBe(first.body.data.secret);
    await expectError(api.admin.post('/webhooks', { ...endpoint, description: 'Another' }, headers), 409, 'RESOURCE_CONFLICT');
  });

  test('accepts keys of 1 to 255 characters', async () => {
    const { api } = fixture();
    await expectData(api.admin.post('/transactions', cardBody(25), { 'Idempotency-Key': `${randomUUID()}-`.padEnd(255, 'k') }));
    await expectError(
      api.admin.post('/transactions', cardBody(25), { 'Idempotency-Key': 'k'.repeat(256) }),
      400,
      'VALIDATION_ERROR',
      'Idempotency-Key',
    );
  });
});

describeOnBothDatabases('Idempotency-Key', (fixture) => {
  test('creates one customer for ten parallel requests, and runs a request again that was refused as invalid', async () => {
    const { api } = fixture();
    const headers = key();
    const email = `${randomUUID()}@demo.example`;
    await expectError(api.public.post('/customer', { firstName: 'Ada', email: 'none' }, headers), 400, 'INVALID_EMAIL');
    const answers = await Promise.all(Array.from({ length: 10 }, () => api.public.post('/customer', { firstName: 'Ada', email }, headers)));
    for (const { status, body } of answers) expect([201, 409], JSON.stringify(body)).toContain(status);
    expect(new Set(answers.filter(({ status }) => status === 201).map(({ text }) => text)).size).toBe(1);
    expect(await total(api.admin.get(`/customers?q=${email}`))).toBe(1);
    const missing = key();
    const unknown = () => api.public.post('/customer/cus_01m8ddt8wp005fhm55a9d2cmd3/payment-method', { token: 'tok_1' }, missing);
    const refused = await unknown();
    expect(refused.status).toBe(404);
    expect((await unknown()).headers.get('idempotent-replayed')).toBe('true');
  });

  test('creates one transaction for fifty parallel requests; the others get its response or are asked to wait', async () => {
    const { api } = fixture();
    const headers = key();
    const orderId = `race-${randomUUID()}`;
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => api.admin.post('/transactions', cardBody(26, CARDS.visa, { orderId }), headers)),
    );
    const made = answers.filter(({ status }) => status === 200);
    expect(new Set(made.map(({ text }) => text)).size).toBe(1);
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      await expectError(answer, 409, 'RESOURCE_CONFLICT');
      expect(answer.headers.get('retry-after')).toBe('1');
    }
    expect(await total(api.admin.get(`/transactions?q=${orderId}`))).toBe(1);
  });
});

describeOnBothDatabases('parallel requests', (fixture) => {
  test('never refunds more than the sale with thirty parallel partial refunds', async () => {
    const { api } = fixture();
    const { transactionId } = await createSale(fixture(), 100.5);
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => api.admin.post(`/transactions/${transactionId}/refund/partial`, { amount: 10 })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(10);
    for (const answer of answers.filter(({ status }) => status !== 200)) await expectError(answer, 422, 'INVALID_AMOUNT');
    const record = await expectData(api.admin.get<TransactionRecord>(`/transactions/${transactionId}`));
    expect(record).toMatchObject({ refundedAmount: 100, reservedAmount: 0, refundStatus: 'partial' });
  });

  test.for([
    ['capture', 'capture', ['ALREADY_CAPTURED']],
    ['void', 'void', ['ALREADY_VOIDED']],
    ['capture', 'void', ['ALREADY_VOIDED']],
  ] as const)('lets one of %s and %s succeed in parallel, and refuses the other with its exact error', async ([left, right, refusals]) => {
    const { api } = fixture();
    for (let round = 0; round < 10; round += 1) {
      const { transactionId } = await createSale(fixture(), 30, { type: 'auth' });
      const answers = await Promise.all([left, right].map((operation) => api.admin.post(`/transactions/${transactionId}/${operation}`)));
      const codes = answers.filter(({ status }) => status !== 200).map(({ body }) => body.error.code);
      // A capture followed by a void has two effects in order; in the other order the capture is refused.
      if (left !== right && codes.length === 0) continue;
      expect(codes).toEqual([...refusals]);
    }
  });
});
