import { expect, test } from 'vitest';
import { CARDS, cardBody, type TransactionRecord, waitUntilConcluded } from '../../support/sales.ts';
import { DATABASES, describeOnAnyDatabase, expectData, expectError } from '../../support/server.ts';

const publicBody = (more: Record<string, unknown> = {}) => ({
  Amount: '19.99',
  CardNumber: CARDS.visa,
  ExpiryMonth: '12',
  ExpiryYear: '2031',
  CVV: '123',
  ...more,
});
const sdkBody = (more: Record<string, unknown> = {}) => ({
  Amount: '19.99',
  CardNumber: CARDS.visa,
  ExpiryDate: '1231',
  Cvv: '123',
  ...more,
});

test('runs on both databases', () => expect(DATABASES).toEqual(['sqlite', 'postgres']));

describeOnAnyDatabase('a sale', (fixture) => {
  test('approves and captures a sale, and returns its amounts as numbers', async () => {
    const { api } = fixture();
    const body = cardBody(19.99, CARDS.visa, {
      billing: { firstName: 'Ada', lastName: 'Byron', zip: '62701', address: '1 Main St' },
      customer: { email: 'Ada@Example.com' },
      orderId: 'A-1',
      metadata: { table: 4 },
    });
    const made = await expectData(api.admin.post<TransactionRecord>('/transactions', body));
    expect(made).toMatchObject({
      status: 'approved',
      type: 'sale',
      amount: 19.99,
      capturedAmount: 19.99,
      captured: true,
      currency: 'USD',
      avsResponse: 'Y',
      cvvResponse: 'M',
      card: { brand: 'visa', last4: '1111' },
      customer: { name: 'Ada Byron', email: 'ada@example.com' },
      orderId: 'A-1',
      metadata: { table: 4 },
    });
    expect(made.authCode).toMatch(/^\d{6}$/);
    expect(made.processorRef).toMatch(/^[A-Z2-7]{20}$/);
    const read = await expectData(api.admin.get<TransactionRecord>(`/transactions/${made.transactionId}`));
    expect(read).toMatchObject(made);
    expect(read.history).toEqual([expect.objectContaining({ action: 'sale', result: 'approved', amount: 19.99 })]);
  });

  test('sells by card and ACH on the Public surface, and in its own naming on the SDK surface', async () => {
    const { api } = fixture();
    const byCard = await expectData(api.public.post<TransactionRecord>('/transaction', publicBody()));
    expect(byCard).toMatchObject({ status: 'approved', amount: 19.99, paymentMethod: 'card' });
    const ach = {
      Amount: 25,
      SuggestedMode: 'ACH',
      AccountNumber: '000123456789',
      RoutingNumber: '021000021',
      AccountType: 'checking',
      BillingCustomerName: 'Ada',
    };
    const byBank = await expectData(api.public.post<TransactionRecord>('/transaction', ach));
    expect(byBank).toMatchObject({ paymentMethod: 'ach', bankAccount: { last4: '6789', accountType: 'checking' }, card: null });
    const sdk = await expectData(api.sdk.post<Record<string, unknown>>('/transaction', sdkBody()));
    expect(sdk).toMatchObject({ Status: 'approved', Amount: '19.99', Type: 'sale', Card: { Brand: 'visa', Last4: '1111' } });
    const auth = await expectData(api.sdk.post<Record<string, unknown>>('/transaction', sdkBody({ TransactionType: '0' })));
    expect(auth).toMatchObject({ Type: 'auth', Captured: false, CapturedAmount: '0.00' });
    expect(await expectData(api.sdk.get<Record<string, unknown>>(`/query/${String(auth.TransactionId)}`))).toMatchObject({ Type: 'auth' });
  });

  test('charges a stored token and masks its details', async () => {
    const { api } = fixture();
    const card = { cardNumber: CARDS.visa, expiryMonth: '12', expiryYear: '2031' };
    const { token } = await expectData(api.public.post<{ token: string }>('/tokenize-card', card));
    const details = await expectData(api.public.post<Record<string, string>>('/decrypt-token', { token }));
    expect(details).toMatchObject({ brand: 'visa', last4: '1111', maskedNumber: '411111******1111' });
    const again = await expectData(api.public.post<{ token: string }>('/tokenize-card', card));
    expect((await expectData(api.public.post<Record<string, string>>('/decrypt-token', { token: again.token }))).fingerprint).toBe(
      details.fingerprint,
    );
    const charged = await expectData(api.public.post<TransactionRecord>('/token-transaction', { token, amount: 12.5 }));
    expect(charged).toMatchObject({ status: 'approved', paymentMethod: 'token', amount: 12.5, card: { last4: '1111' } });
    await expectError(api.public.post('/token-transaction', { token: 'tok_unknown', amount: 12.5 }), 404, 'NOT_FOUND', 'token');
  });

  test('takes a token alone as the payment method on every route that accepts one', async () => {
    const { api } = fixture();
    const card = { cardNumber: CARDS.visa, expiryMonth: '12', expiryYear: '2031' };
    const { token } = await expectData(api.public.post<{ token: string }>('/tokenize-card', card));
    const customer = { firstName: 'Ann', lastName: 'Marsh', email: 'ann@customer.example' };
    const { customerId } = await expectData(api.admin.post<{ customerId: string }>('/customers', customer), 201);
    const consentText = 'I agree to be charged every month.';
    const last4 = { last4: '1111' };
    expect(await expectData(api.admin.post(`/customers/${customerId}/payment-methods`, { token, consentText }), 201)).toMatchObject(last4);
    expect(await expectData(api.public.post(`/customer/${customerId}/payment-method`, { token, consentText }), 201)).toMatchObject(last4);
    const plan = { customerId, amount: 25, token, consentText };
    const subscription = await expectData(api.admin.post<{ subscriptionId: string }>('/recurring', { ...plan, frequency: 'monthly' }), 201);
    await expectData(api.public.post('/recurring', { ...plan, period: 'monthly' }), 201);
    await expectData(api.admin.put(`/recurring/${subscription.subscriptionId}`, { token, consentText }));
    const items = [{ description: 'Repair', quantity: 1, unitPrice: 40 }];
    const { invoiceId } = await expectData(api.admin.post<{ invoiceId: string }>('/invoices', { customerId, items }), 201);
    const paid = await expectData(api.admin.post(`/invoices/${invoiceId}/payment`, { amount: 40, token }));
    expect(paid).toMatchObject({ status: 'paid' });
  });

  test('accepts a token or bank account without paymentMethod', async () => {
    const { api } = fixture();
    const card = { cardNumber: CARDS.visa, expiryMonth: '12', expiryYear: '2031' };
    const { token } = await expectData(api.public.post<{ token: string }>('/tokenize-card', card));
    const byToken = await expectData(api.admin.post<TransactionRecord>('/transactions', { amount: 12, token }));
    expect(byToken).toMatchObject({ paymentMethod: 'token', status: 'approved', source: 'saved' });
    const bankAccount = { accountNumber: '000123456789', routingNumber: '021000021', accountType: 'checking', accountHolderName: 'Ada' };
    const byBank = await expectData(api.admin.post<TransactionRecord>('/transactions', { amount: 12, bankAccount }));
    expect(byBank).toMatchObject({ paymentMethod: 'ach', status: 'approved' });
    await expectError(api.admin.post('/transactions', { amount: 12 }), 400, 'REQUIRED_FIELD_MISSING', 'card');
    await expectError(api.admin.post('/transactions', { amount: 12, token, paymentMethod: 'card' }), 400, 'REQUIRED_FIELD_MISSING', 'card');
  });

  test.for([
    [CARDS.declined, 'card_declined', 'CARD_DECLINED'],
    ['4000000000000069', 'expired_card', 'TRANSACTION_DECLINED'],
    ['4000000000000119', 'do_not_honor', 'TRANSACTION_DECLINED'],
    ['4000000000000127', 'cvv_failure', 'CVV_MISMATCH'],
    ['4000000000000036', 'avs_failure', 'AVS_MISMATCH'],
    ['4100000000000019', 'fraud_suspected', 'TRANSACTION_DECLINED'],
    [CARDS.noFunds, 'insufficient_funds', 'INSUFFICIENT_FUNDS'],
    ['4000000000000218', 'invalid_account', 'INVALID_CARD'],
    ['4000000000000317', 'invalid_expiry', 'INVALID_CARD'],
    ['4000000000009987', 'lost_stolen', 'TRANSACTION_DECLINED'],
    ['4000000000000416', 'restricted_card', 'TRANSACTION_DECLINED'],
    ['4000000000000515', 'exceeds_limit', 'EXCEEDS_LIMIT'],
    ['4000000000000614', 'call_issuer', 'TRANSACTION_DECLINED'],
  ] as const)('declines card %s with %s', async ([number, declineCode, errorCode]) => {
    const { status, body } = await fixture().api.admin.post<TransactionRecord>('/transactions', cardBody(20, number));
    expect(status).toBe(200);
    expect(body).toMatchObject({ success: false, data: { status: 'declined', declineCode, errorCode, amount: 20, captured: false } });
    expect(body.data.transactionId).toMatch(/^txn_/);
  });

  test.for([
    ['901', 'N', 'declined'],
    ['903', 'U', 'approved'],
    ['904', 'P', 'approved'],
    ['555', 'M', 'approved'],
  ])('returns for security code %s the check %s and the status %s', async ([cvv, cvvResponse, status]) => {
    const body = cardBody(20, CARDS.visa, { card: { number: CARDS.visa, expiryMonth: '12', expiryYear: '2031', cvv } });
    expect((await fixture().api.admin.post<TransactionRecord>('/transactions', body)).body.data).toMatchObject({ cvvResponse, status });
  });

  test.for([
    ['46205', 'N', 'declined'],
    ['46201', 'A', 'approved'],
    ['46203', 'Z', 'approved'],
    ['10001', 'Y', 'approved'],
  ])('returns for ZIP code %s with a street the check %s and the status %s', async ([zip, avsResponse, status]) => {
    const billing = { zip, address: '1 Main St' };
    const answer = await fixture().api.admin.post<TransactionRecord>('/transactions', cardBody(20, CARDS.visa, { billing }));
    expect(answer.body.data).toMatchObject({ avsResponse, status });
  });

  test.for([
    [{ zip: '10001' }, 'Z'],
    [{ zip: '46201' }, 'A'],
    [{ zip: '46205' }, 'N'],
    [{ address: '1 Main St' }, 'A'],
    [{ firstName: 'Ada' }, null],
  ] as const)('returns %s as the address check of %j', async ([billing, avsResponse]) => {
    const answer = await fixture().api.admin.post<TransactionRecord>('/transactions', cardBody(20, CARDS.visa, { billing }));
    expect(answer.body.data.avsResponse).toBe(avsResponse);
  });

  test('returns AVS_CVV_MISMATCH with both responses on every surface for a wrong ZIP and a wrong security code', async () => {
    const { api } = fixture();
    const expected = { errorCode: 'AVS_CVV_MISMATCH', declineCode: 'cvv_failure', avsResponse: 'N', cvvResponse: 'N' };
    const details = { avsResponse: 'N', cvvResponse: 'N' };
    const card = { number: CARDS.visa, expiryMonth: '12', expiryYear: '2031', cvv: '901' };
    const body = cardBody(20, CARDS.visa, { card, billing: { zip: '46205' } });
    const admin = await api.admin.post<TransactionRecord>('/transactions', body);
    expect(admin.body).toMatchObject({ success: false, data: { ...expected, details } });
    expect(await expectData(api.admin.get<TransactionRecord>(`/transactions/${admin.body.data.transactionId}`))).toMatchObject({
      ...expected,
      details,
    });
    const surface = { BillingPostalCode: '46205', BillingAddress: '1 Main St' };
    const byKey = await api.public.post<TransactionRecord>('/transaction', publicBody({ CVV: '901', ...surface }));
    expect(byKey.body).toMatchObject({ success: false, data: { ...expected, details } });
    const sdk = await api.sdk.post<Record<string, unknown>>('/transaction', sdkBody({ Cvv: '901', ...surface }));
    expect(sdk.body.data).toMatchObject({ ErrorCode: 'AVS_CVV_MISMATCH', Details: { AvsResponse: 'N', CvvResponse: 'N' } });
  });

  test.for([
    [{ zip: '46205' }, '123', 'AVS_MISMATCH', { avsResponse: 'N', cvvResponse: 'M' }],
    [{ zip: '10001' }, '901', 'CVV_MISMATCH', { avsResponse: 'Z', cvvResponse: 'N' }],
    [undefined, '901', 'CVV_MISMATCH', { avsResponse: null, cvvResponse: 'N' }],
  ] as const)('for billing %j with security code %s, returns %s', async ([billing, cvv, errorCode, details]) => {
    const card = { number: CARDS.visa, expiryMonth: '12', expiryYear: '2031', cvv };
    const { body } = await fixture().api.admin.post<TransactionRecord>('/transactions', cardBody(20, CARDS.visa, { card, billing }));
    expect(body.data).toMatchObject({ errorCode, details });
  });

  test.for([
    ['0001', 'R01'],
    ['0029', 'R29'],
  ])('declines an account ending in %s with %s', async ([ending, declineCode]) => {
    const bankAccount = { accountNumber: `12345${ending}`, routingNumber: '021000021', accountType: 'savings', accountHolderName: 'Ada' };
    const { body } = await fixture().api.admin.post<TransactionRecord>('/transactions', { amount: 20, paymentMethod: 'ach', bankAccount });
    expect(body.data).toMatchObject({ status: 'declined', declineCode });
  });

  test.for([
    [1, 'approved'],
    [999.99, 'approved'],
    [1000, 'declined'],
    ['1000.00', 'declined'],
    [1000.01, 'approved'],
    ['99999.99', 'approved'],
    [100000, 'declined'],
  ] as const)('answers an amount of %s with %s', async ([amount, status]) => {
    expect((await fixture().api.admin.post<TransactionRecord>('/transactions', cardBody(amount))).body.data).toMatchObject({ status });
  });

  test('returns GATEWAY_TIMEOUT for a lost answer, and finds the approved payment by inquiry', async () => {
    const error = await expectError(fixture().api.admin.post('/transactions', cardBody(20, CARDS.answerLost)), 502, 'GATEWAY_TIMEOUT');
    const found = await waitUntilConcluded(fixture(), String(error.details?.transactionId));
    expect(found).toMatchObject({ status: 'approved', captured: true, capturedAmount: 20 });
    expect(found.history).toHaveLength(1);
  });

  test('fails a payment that never reached the gateway after an inquiry, and allows a rerun', async () => {
    const error = await expectError(fixture().api.admin.post('/transactions', cardBody(20, CARDS.neverReceived)), 502, 'GATEWAY_TIMEOUT');
    expect(await waitUntilConcluded(fixture(), String(error.details?.transactionId))).toMatchObject({ status: 'failed', captured: false });
  });

  test('returns GATEWAY_ERROR for an error of the gateway, and fails the transaction', async () => {
    const error = await expectError(fixture().api.admin.post('/transactions', cardBody(20, CARDS.gatewayError)), 502, 'GATEWAY_ERROR');
    expect(await waitUntilConcluded(fixture(), String(error.details?.transactionId))).toMatchObject({ status: 'failed' });
  });
});

describeOnAnyDatabase('invalid input', (fixture) => {
  const card = (more: Record<string, unknown>) =>
    cardBody(20, CARDS.visa, { card: { number: CARDS.visa, expiryMonth: '12', expiryYear: '2031', ...more } });

  test.for([
    ['no amount', { paymentMethod: 'card', card: {} }, 'REQUIRED_FIELD_MISSING', 'amount'],
    ['no card', { amount: 5 }, 'REQUIRED_FIELD_MISSING', 'card'],
    ['no number', { amount: 5, card: { expiryMonth: '12', expiryYear: '2031' } }, 'REQUIRED_FIELD_MISSING', 'card.number'],
    ['amount of zero', cardBody(0), 'INVALID_AMOUNT', 'amount'],
    ['negative amount', cardBody(-5), 'INVALID_AMOUNT', 'amount'],
    ['amount with three decimals', cardBody('5.001'), 'INVALID_AMOUNT', 'amount'],
    ['amount below the minimum', cardBody(0.5), 'INVALID_AMOUNT', 'amount'],
    ['amount as an object', cardBody({} as never), 'INVALID_AMOUNT', 'amount'],
    ['amount with an exponent', cardBody('1e3'), 'INVALID_AMOUNT', 'amount'],
    ['unknown currency', cardBody(20, CARDS.visa, { currency: 'XXQ' }), 'INVALID_CURRENCY', 'currency'],
    ['currency as a number', cardBody(20, CARDS.visa, { currency: 5 }), 'INVALID_CURRENCY', 'currency'],
    ['wrong check digit', cardBody(20, '4111111111111112'), 'INVALID_CARD_NUMBER', 'card.number'],
    ['number as a number', cardBody(20, 4111111111111111 as never), 'INVALID_CARD_NUMBER', 'card.number'],
    ['month 13', card({ expiryMonth: '13' }), 'INVALID_EXPIRY', 'card.expiryMonth'],
    ['year of three digits', card({ expiryYear: '203' }), 'INVALID_EXPIRY', 'card.expiryYear'],
    ['expired', card({ expiryYear: '2020' }), 'CARD_EXPIRED', 'card.expiryYear'],
    ['code of two digits', card({ cvv: '12' }), 'INVALID_CVV', 'card.cvv'],
    ['bad e-mail', cardBody(20, CARDS.visa, { customer: { email: 'nobody' } }), 'INVALID_EMAIL', 'customer.email'],
    ['unknown type', cardBody(20, CARDS.visa, { type: 'gift' }), 'VALIDATION_ERROR', 'type'],
    ['unknown method', cardBody(20, CARDS.visa, { paymentMethod: 'barter' }), 'VALIDATION_ERROR', 'paymentMethod'],
    [
      'bad routing number',
      {
        amount: 5,
        paymentMethod: 'ach',
        bankAccount: { accountNumber: '12345', routingNumber: '021000022', accountType: 'checking', accountHolderName: 'A' },
      },
      'VALIDATION_ERROR',
      'bankAccount.routingNumber',
    ],
    ['NUL in a text', cardBody(20, CARDS.visa, { description: 'a\u0000b' }), 'VALIDATION_ERROR', 'description'],
    ['half a surrogate pair', cardBody(20, CARDS.visa, { description: 'a\ud800b' }), 'VALIDATION_ERROR', 'description'],
    [
      '51 metadata keys',
      cardBody(20, CARDS.visa, { metadata: Object.fromEntries(Array.from({ length: 51 }, (_, at) => [`k${at}`, 1])) }),
      'VALIDATION_ERROR',
      'metadata',
    ],
  ] as const)('refuses an invalid field: %s', async ([, body, code, field]) => {
    await expectError(fixture().api.admin.post('/transactions', body), 400, code, field);
  });

  test.for([
    ['no amount', { CardNumber: CARDS.visa }, 'REQUIRED_FIELD_MISSING', 'Amount'],
    ['no number', { Amount: 5 }, 'REQUIRED_FIELD_MISSING', 'CardNumber'],
    ['bad number', publicBody({ CardNumber: '1234' }), 'INVALID_CARD_NUMBER', 'CardNumber'],
    ['bad month', publicBody({ ExpiryMonth: '0' }), 'INVALID_EXPIRY', 'ExpiryMonth'],
    ['expired', publicBody({ ExpiryYear: '2019' }), 'CARD_EXPIRED', 'ExpiryYear'],
    ['bad code', publicBody({ CVV: 'abc' }), 'INVALID_CVV', 'CVV'],
    ['bad e-mail', publicBody({ BillingEmail: 'x' }), 'INVALID_EMAIL', 'BillingEmail'],
    ['ACH without account', { Amount: 5, SuggestedMode: 'ACH' }, 'REQUIRED_FIELD_MISSING', 'AccountNumber'],
  ] as const)('refuses an invalid field on the Public surface: %s', async ([, body, code, field]) => {
    await expectError(fixture().api.public.post('/transaction', body), 400, code, field);
  });

  test.for([
    ['no amount', { CardNumber: CARDS.visa, ExpiryDate: '1231' }, 'REQUIRED_FIELD_MISSING', 'Amount'],
    ['no expiry', { Amount: '5', CardNumber: CARDS.visa }, 'REQUIRED_FIELD_MISSING', 'ExpiryDate'],
    ['bad expiry', sdkBody({ ExpiryDate: '2031-13' }), 'INVALID_EXPIRY', 'ExpiryDate'],
    ['bad number', sdkBody({ CardNumber: '1' }), 'INVALID_CARD_NUMBER', 'CardNumber'],
  ] as const)('refuses an invalid field on the SDK surface: %s', async ([, body, code, field]) => {
    await expectError(fixture().api.sdk.post('/transaction', body), 400, code, field);
  });
});
