import { expect, test } from 'vitest';
import { CARDS, cardBody, type TransactionRecord } from '../../support/sales.ts';
import { type ApiFixture, describeOnAnyDatabase, expectData, expectError } from '../../support/server.ts';

type Sold = TransactionRecord & { gateway: string; declineReason: string | null };
interface Routed {
  gateway: string | null;
  rule: number | null;
  fallbacks: string[];
  trace: { index: number; matched: boolean; skipped: string | null; reasons: { text: string; result: boolean }[] }[];
}

let made = 0;

/** Creates a merchant with the gateways sandbox, amex and backup. */
async function shop({ api }: ApiFixture) {
  made += 1;
  const { merchantId } = await expectData(api.admin.post<{ merchantId: string }>('/merchants', { name: `Routed ${made}` }), 201);
  const at = `/merchants/${merchantId}`;
  const ids: Record<string, string> = {};
  for (const name of ['amex', 'backup'])
    ids[name] = (await expectData(api.admin.post<{ id: string }>(`${at}/gateways`, { type: 'sandbox', name }), 201)).id;
  const [first] = await expectData(api.admin.get<{ id: string; name: string }[]>(`${at}/gateways`));
  ids.sandbox = first?.id ?? '';
  const sell = (amount: number | string, card: string = CARDS.visa, more: Record<string, unknown> = {}) =>
    api.admin.post<Sold>('/transactions', cardBody(amount, card, { merchantId, ...more }));
  return { merchantId, at, ids, sell };
}

describeOnAnyDatabase('gateway routing', (fixture) => {
  test('applies the first matching rule, and the priorities without rules', async () => {
    const { api } = fixture();
    const { at, sell, ids } = await shop(fixture());
    expect((await expectData(sell(10))).gateway).toBe('sandbox');
    const rules = [
      { condition: 'card.brand == "amex"', gateway: 'amex' },
      { condition: 'amount > 500 and not metadata.local', gateway: ids.backup },
      { default: 'sandbox' },
    ];
    await expectData(api.admin.put(`${at}/gateway-routing`, { rules }));
    expect((await expectData(sell(10, CARDS.amex))).gateway).toBe('amex');
    const large = await expectData(sell(600));
    expect(large.gateway).toBe('backup');
    expect((await expectData(sell(600, CARDS.visa, { metadata: { local: true } }))).gateway).toBe('sandbox');
    // Later operations go to the gateway of the payment.
    await expectData(api.admin.post(`/transactions/${large.transactionId}/refund`, { amount: 5 }));
  });

  test('skips a gateway that fails before it took the payment, with one charge', async () => {
    const { api } = fixture();
    const { at, sell, ids } = await shop(fixture());
    const rules = [{ condition: 'amount > 5', gateway: 'amex' }, { condition: 'amount > 500', gateway: 'sandbox' }, { default: 'backup' }];
    await expectData(api.admin.put(`${at}/gateway-routing`, { rules }));
    await expectData(api.admin.post('/sandbox/gateway', { mode: 'down', gatewayId: ids.amex }));
    const sale = await expectData(sell(20));
    expect(sale).toMatchObject({ status: 'approved', gateway: 'backup' });
    const { history } = await expectData(api.admin.get<Sold>(`/transactions/${sale.transactionId}`));
    expect(history.map(({ action, result }) => [action, result])).toEqual([
      ['sale', 'failed'],
      ['sale', 'approved'],
    ]);
    await expectData(api.admin.post('/sandbox/gateway', { mode: 'down', gatewayId: ids.backup }));
    await expectError(sell(21), 503, 'GATEWAY_UNAVAILABLE');
    expect((await expectData(sell(900))).gateway).toBe('sandbox');
    await expectData(api.admin.post('/sandbox/gateway', { mode: 'normal' }));
    expect((await expectData(sell(20))).gateway).toBe('amex');
  });

  test('replays the response of a payment that used another gateway', async () => {
    const { api } = fixture();
    const { at, ids, merchantId } = await shop(fixture());
    await expectData(
      api.admin.put(`${at}/gateway-routing`, { rules: [{ condition: 'amount > 1', gateway: 'amex' }, { default: 'backup' }] }),
    );
    await expectData(api.admin.post('/sandbox/gateway', { mode: 'down', gatewayId: ids.amex }));
    const send = () =>
      api.admin.post<Sold>('/transactions', cardBody(33, CARDS.visa, { merchantId }), { 'Idempotency-Key': `over ${merchantId}` });
    const first = await send();
    const second = await send();
    expect(second.text).toBe(first.text);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    await expectData(api.admin.post('/sandbox/gateway', { mode: 'normal' }));
  });

  test('refuses an invalid rule with its index and position', async () => {
    const { api } = fixture();
    const { at, ids } = await shop(fixture());
    const put = (rules: unknown[]) => api.admin.put(`${at}/gateway-routing`, { rules });
    const error = await expectError(
      put([{ default: 'sandbox' }].toSpliced(0, 0, { condition: 'amount > 1 and amout > 5', gateway: 'amex' } as never)),
      400,
      'VALIDATION_ERROR',
      'rules.0.condition',
    );
    expect(error.details).toEqual({ index: 0, position: 15, length: 5 });
    expect(error.message).toContain('did you mean `amount`');
    await expectError(put([{ condition: 'true', gateway: 'nowhere' }]), 400, 'VALIDATION_ERROR', 'rules.0.gateway');
    await expectError(put([{ default: 'amex' }, { condition: 'true', gateway: 'amex' }]), 400, 'VALIDATION_ERROR', 'rules.0.default');
    expect(await expectError(put([{ condition: 'true' }]), 400, 'REQUIRED_FIELD_MISSING')).toMatchObject({ field: 'rules.0.gateway' });
    await expectData(put([{ default: 'amex' }]));
    const refused = await expectError(api.admin.delete(`${at}/gateways/${ids.amex}`), 409, 'RESOURCE_CONFLICT');
    expect(refused.details).toMatchObject({ reason: 'in_use', rule: 0 });
    await expectData(put([]));
    await expectData(api.admin.delete(`${at}/gateways/${ids.amex}`));
  });

  test('simulates rules with reasons without saving or sending anything', async () => {
    const { api } = fixture();
    const { at, sell } = await shop(fixture());
    await expectData(sell(700));
    const rules = [{ condition: 'amount > 500 and card.brand in ["visa"]', gateway: 'backup' }, { default: 'amex' }];
    const [sale] = await expectData(
      api.admin.post<Routed[]>(`${at}/gateway-routing/dry-run`, { rules, sale: { amount: 20, cardNumber: '411111' } }),
    );
    expect(sale).toMatchObject({ gateway: 'amex', rule: 1, fallbacks: [] });
    expect(sale?.trace[0]).toMatchObject({ matched: false, reasons: [{ text: 'amount > 500', value: 20, result: false }] });
    const [last] = await expectData(api.admin.post<Routed[]>(`${at}/gateway-routing/dry-run`, { rules }));
    expect(last).toMatchObject({ gateway: 'backup', rule: 0, fallbacks: ['amex'] });
    expect(await expectData(api.admin.get(`${at}/gateway-routing`))).toEqual({ rules: [] });
    await expectError(api.admin.post(`${at}/gateway-routing/dry-run`, { rules: [{ default: 'x' }] }), 400, 'VALIDATION_ERROR');
  });

  test('never returns credentials of a gateway', async () => {
    const { api } = fixture();
    const { at } = await shop(fixture());
    const credentials = { apiLogin: 'canary-login', transactionKey: 'canary-key' };
    const made = await api.admin.post<{ id: string }>(`${at}/gateways`, { type: 'sandbox', name: 'secret', credentials });
    const { id } = await expectData(made, 201);
    const texts = [made.text, (await api.admin.put(`${at}/gateways/${id}`, { credentials })).text];
    for (const path of [`${at}/gateways`, '/audit-logs?limit=20']) texts.push((await api.admin.get(path)).text);
    for (const text of texts) expect(text).not.toContain('canary');
    await expectError(api.admin.post(`${at}/gateways`, { type: 'sandbox', name: 'secret' }), 409, 'RESOURCE_CONFLICT', 'name');
    await expectError(api.admin.post(`${at}/gateways`, { type: 'nmi', name: 'n' }), 400, 'VALIDATION_ERROR', 'type');
  });
});

describeOnAnyDatabase('fraud rules', (fixture) => {
  const withRules = async (rules: object) => {
    const { api } = fixture();
    const merchant = await shop(fixture());
    await expectData(api.admin.put(`${merchant.at}/fraud-settings`, rules));
    return { api, ...merchant };
  };
  const declined = async (answer: ReturnType<Awaited<ReturnType<typeof shop>>['sell']>) => {
    const { status, body } = await answer;
    expect({ status, success: body.success, is: body.data.status }).toEqual({ status: 200, success: false, is: 'declined' });
    return body.data;
  };

  test('declines an amount above the limit, a blocked card and a blocked address before it calls the gateway', async () => {
    const { sell, api } = await withRules({ maxAmount: 500, blockedBins: ['4242'], blockedEmails: ['@spam.example', 'eve@shop.example'] });
    const large = await declined(sell(500.01));
    expect(large).toMatchObject({ declineCode: 'exceeds_limit', errorCode: 'EXCEEDS_LIMIT', authCode: null });
    await expectData(sell(500));
    expect(await declined(sell(20, '4242424242424242'))).toMatchObject({ declineCode: 'fraud_suspected' });
    expect(await declined(sell(20, CARDS.visa, { customer: { email: 'who@SPAM.example' } }))).toMatchObject({
      declineCode: 'fraud_suspected',
    });
    expect(await declined(sell(20, CARDS.visa, { customer: { email: 'eve@shop.example' } }))).toMatchObject({
      declineCode: 'fraud_suspected',
    });
    await expectData(sell(20, CARDS.visa, { customer: { email: 'adam@shop.example' } }));
    const { history } = await expectData(api.admin.get<Sold>(`/transactions/${large.transactionId}`));
    expect(history).toMatchObject([{ action: 'sale', result: 'declined' }]);
  });

  test('compares an amount with the limit of its own currency, and declines a currency without a limit', async () => {
    const { sell, api, at } = await withRules({ maxAmount: 500, maxAmountByCurrency: { jpy: 60_000, KWD: 150 } });
    const [yen, dinar, euro] = [{ currency: 'JPY' }, { currency: 'KWD' }, { currency: 'EUR' }];
    await expectData(sell(60_000, CARDS.visa, yen));
    expect(await declined(sell(60_001, CARDS.visa, yen))).toMatchObject({
      declineCode: 'exceeds_limit',
      declineReason: "The amount exceeds the merchant's limit of 60000 JPY.",
    });
    await expectData(sell('150.000', CARDS.visa, dinar));
    expect(await declined(sell('150.001', CARDS.visa, dinar))).toMatchObject({ declineCode: 'exceeds_limit' });
    expect(await declined(sell(20, CARDS.visa, euro))).toMatchObject({
      declineCode: 'exceeds_limit',
      declineReason: 'The merchant limits amounts, but has no limit for payments in EUR.',
    });
    await expectData(sell(500));
    const settings = await expectData(api.admin.get(`${at}/fraud-settings`));
    expect(settings).toMatchObject({ maxAmount: 500, maxAmountCurrency: 'USD', maxAmountByCurrency: { JPY: 60_000, KWD: 150 } });
    await expectData(api.admin.put(at, { currency: 'EUR' }));
    expect(await declined(sell(501, CARDS.visa, { currency: 'USD' }))).toMatchObject({ declineCode: 'exceeds_limit' });
    expect(await declined(sell(20, CARDS.visa, euro))).toMatchObject({ declineCode: 'exceeds_limit' });
    const twice = api.admin.put(`${at}/fraud-settings`, { maxAmountByCurrency: { eur: 100, EUR: 200 } });
    await expectError(twice, 400, 'VALIDATION_ERROR', 'maxAmountByCurrency.EUR');
    await expectData(api.admin.put(`${at}/fraud-settings`, { maxAmount: null }));
    await expectData(sell(501, CARDS.visa, euro));
    expect(await declined(sell(60_001, CARDS.visa, yen))).toMatchObject({ declineCode: 'exceeds_limit' });
  });

  test('refuses limits with unknown currencies and with more decimals than a currency has', async () => {
    const { api, at } = await withRules({ maxAmount: 500 });
    const put = (body: object) => api.admin.put(`${at}/fraud-settings`, body);
    await expectError(put({ maxAmountByCurrency: { XYZ: 5 } }), 400, 'INVALID_CURRENCY', 'maxAmountByCurrency.XYZ');
    await expectError(put({ maxAmountByCurrency: { JPY: 5.5 } }), 400, 'INVALID_AMOUNT', 'maxAmountByCurrency.JPY');
    await expectError(put({ maxAmountByCurrency: { EUR: 0 } }), 400, 'VALIDATION_ERROR', 'maxAmountByCurrency.EUR');
    await expectError(put({ maxAmountCurrency: 'XYZ' }), 400, 'INVALID_CURRENCY', 'maxAmountCurrency');
    await expectError(put({ maxAmount: 5.555 }), 400, 'INVALID_AMOUNT', 'maxAmount');
    expect(await expectData(api.admin.get(`${at}/fraud-settings`))).toMatchObject({ maxAmount: 500, maxAmountByCurrency: {} });
  });

  test('refuses two limits of one currency, also in a simulation', async () => {
    const { api, at, sell } = await withRules({ maxAmount: 500, maxAmountByCurrency: { EUR: 450 } });
    await expectData(sell(20));
    const two = [
      [{ maxAmountByCurrency: { EUR: 100, eur: 200 } }, 'maxAmountByCurrency.EUR', '`maxAmountByCurrency` names EUR twice.'],
      [
        { maxAmountByCurrency: { eur: 450, usd: 400 } },
        'maxAmountByCurrency.USD',
        '`maxAmountByCurrency` names USD, the currency of `maxAmount`. Leave it out, or change `maxAmount`.',
      ],
      [
        { maxAmount: 300, maxAmountCurrency: 'EUR' },
        'maxAmountByCurrency.EUR',
        '`maxAmountByCurrency` names EUR, the currency of `maxAmount`. Leave it out, or change `maxAmount`.',
      ],
    ] as const;
    for (const [body, field, message] of two) {
      for (const answer of [api.admin.put(`${at}/fraud-settings`, body), api.admin.post(`${at}/fraud-settings/dry-run`, body)])
        expect((await expectError(answer, 400, 'VALIDATION_ERROR', field)).message).toBe(message);
    }
    expect(await expectData(api.admin.get(`${at}/fraud-settings`))).toMatchObject({ maxAmount: 500, maxAmountByCurrency: { EUR: 450 } });
    // Without `maxAmount`, each currency has one limit at most.
    const only = { maxAmount: null, maxAmountByCurrency: { usd: 10 } };
    const simulated = await expectData(api.admin.post<{ stopped: number }>(`${at}/fraud-settings/dry-run`, only));
    expect(simulated.stopped).toBe(1);
    await expectData(api.admin.put(`${at}/fraud-settings`, only));
    expect(await declined(sell(20))).toMatchObject({ declineReason: "The amount exceeds the merchant's limit of 10 USD." });
  });

  test('voids an approved payment that the address or security code rule forbids', async () => {
    const { sell, api } = await withRules({ declineOnAvs: ['N', 'A'], declineOnCvv: ['N', 'U'] });
    const avs = await declined(sell(40, CARDS.visa, { billing: { zip: '46201', address: '1 Main St' } }));
    expect(avs).toMatchObject({ declineCode: 'avs_failure', errorCode: 'AVS_MISMATCH', avsResponse: 'A', capturedAmount: 0 });
    const body = cardBody(41);
    const cvv = await declined(sell(41, CARDS.visa, { card: { ...body.card, cvv: '903' } }));
    expect(cvv).toMatchObject({ declineCode: 'cvv_failure', cvvResponse: 'U' });
    const { history } = await expectData(api.admin.get<Sold>(`/transactions/${avs.transactionId}`));
    expect(history.map(({ action, result }) => [action, result])).toEqual([
      ['sale', 'approved'],
      ['void', 'approved'],
    ]);
    await expectError(api.admin.post(`/transactions/${avs.transactionId}/void`), 422, 'TRANSACTION_DECLINED');
    await expectData(sell(42, CARDS.visa, { billing: { zip: '46203', address: '1 Main St' } }));
  });

  test('refuses the same card and amount within the window, and accepts one of thirty parallel charges', async () => {
    const { sell, api } = await withRules({ duplicateWindowSeconds: 60 });
    const first = await expectData(sell(50));
    const error = await expectError(sell(50), 409, 'DUPLICATE_TRANSACTION');
    expect(error.details).toMatchObject({ transactionId: first.transactionId, windowSeconds: 60 });
    await expectData(sell(51));
    await expectData(sell(50, '5555555555554444'));
    await expectData(api.admin.post('/sandbox/clock', { advanceSeconds: 61 }));
    await expectData(sell(50));
    const answers = await Promise.all(Array.from({ length: 30 }, () => sell(77)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(29);
  });

  test('limits uses of a card per hour, also with parallel charges', async () => {
    const { sell, api } = await withRules({ maxPerCardPerHour: 3 });
    const answers = await Promise.all(Array.from({ length: 10 }, (_, index) => sell(60 + index)));
    expect(answers.filter(({ body }) => body.data.status === 'approved')).toHaveLength(3);
    expect(await declined(sell(80))).toMatchObject({ declineCode: 'fraud_suspected' });
    await expectData(sell(80, '5555555555554444'));
    await expectData(api.admin.post('/sandbox/clock', { advanceSeconds: 3_601 }));
    await expectData(sell(81));
  });

  test("simulates how many of last week's sales each rule would have declined", async () => {
    const { api, sell, at } = await withRules({});
    for (const amount of [10, 20, 300, 400]) await expectData(sell(amount));
    await expectData(sell(400));
    const trial = await expectData(api.admin.post(`${at}/fraud-settings/dry-run`, { maxAmount: 350, duplicateWindowSeconds: 3_600 }));
    expect(trial).toMatchObject({ examined: 5, stopped: 2, byRule: { maxAmount: 1, duplicateWindowSeconds: 1 } });
    expect(await expectData(api.admin.get(`${at}/fraud-settings`))).toMatchObject({ maxAmount: null });
  });
});
