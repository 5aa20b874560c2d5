/** A call of an operation of the specification with what it must answer. Steps run in order: later ones use what earlier ones kept. */
export interface Step {
  /** Surface, method and path; `{name}` is a kept value. */
  readonly call: readonly [
    surface: 'open' | 'public' | 'tenant' | 'admin' | 'sdk' | 'service',
    method: 'get' | 'post' | 'put' | 'delete',
    path: string,
  ];
  readonly body?: object;
  /** Expected status; 200 by default. */
  readonly status?: number;
  /** Expected code of an error. */
  readonly code?: string;
  /** Expected field of an error. */
  readonly field?: string;
  /** True if `success` is false in an answer with status 200. */
  readonly isDeclined?: true;
  /** Fields of `data`, with dots for nested ones, separated by spaces. */
  readonly has?: string;
  /** Expected values of fields of `data`. */
  readonly is?: object;
  /** True if the call is repeated until its answer is as expected. */
  readonly isAwaited?: true;
  /** True if the answer is a paginated list; its items have the fields of `has`. */
  readonly isList?: true;
  /** Content type of an answer that is a file. */
  readonly file?: string;
  /** Values to keep for later steps, by their name: paths in the answer. */
  readonly keep?: Readonly<Record<string, string>>;
  /** Sandbox message whose code or link is kept under this name before the call. */
  readonly codeFrom?: string;
}

const CARD = { cardNumber: '4111111111111111', expiryMonth: '12', expiryYear: '2031' };
const card = (number = '4111111111111111') => ({ number, expiryMonth: '12', expiryYear: '2031', cvv: '123' });
const sale = (amount: number, number?: string) => ({ type: 'sale', amount, currency: 'USD', paymentMethod: 'card', card: card(number) });
const PASCAL = { SuggestedMode: 'Card', CardNumber: '4111111111111111', ExpiryMonth: '12', ExpiryYear: '2031', CVV: '123' };
const SDK_CARD = { CardNumber: '4111111111111111', ExpiryDate: '1231', Cvv: '123' };
const APPROVED = 'transactionId type amount currency status authCode card.brand card.last4';
const REFUND = 'refundId transactionId status amount currency refundedAt type';
const SUBSCRIPTION = 'subscriptionId';
const ENTRY =
  'id transactionId refundTransactionId amount currency status declineReason declineCode gatewayType attemptCount maxAttempts scheduledRetryAt createdAt updatedAt';

/** Section 4.3: authentication and keys. */
const AUTHENTICATION: readonly Step[] = [
  {
    call: ['open', 'post', '/auth/login'],
    body: { email: '{adminEmail}', password: '{adminPassword}' },
    has: 'token refreshToken',
    keep: { accessToken: 'data.token', refreshToken: 'data.refreshToken' },
  },
  {
    call: ['open', 'post', '/auth/token'],
    body: { email: '{adminEmail}', password: '{adminPassword}' },
    has: 'token',
    keep: { otherToken: 'data.token', otherRefreshToken: 'data.refreshToken' },
  },
  {
    call: ['open', 'post', '/auth/refresh'],
    body: { refreshToken: '{otherRefreshToken}' },
    has: 'token refreshToken',
    keep: { otherRefreshToken: 'data.refreshToken' },
  },
  { call: ['open', 'post', '/auth/logout'], body: { refreshToken: '{otherRefreshToken}' }, is: { loggedOut: true } },
  {
    call: ['open', 'post', '/auth/login'],
    body: { email: '{adminEmail}', password: 'not the password' },
    status: 401,
    code: 'INVALID_CREDENTIALS',
  },
  { call: ['admin', 'get', '/auth/me'], has: 'user.email tenant.tenantId' },
  { call: ['open', 'post', '/auth/forgot-password'], body: { email: '{adminEmail}' } },
  {
    call: ['open', 'post', '/auth/reset-password'],
    body: { token: '{wrong}', password: 'a long enough passphrase' },
    status: 401,
    code: 'TOKEN_INVALID',
  },
  { call: ['open', 'post', '/auth/verify-otp'], body: { otpId: 'otp_unknown', code: '123456' }, status: 404, code: 'NOT_FOUND' },
  { call: ['open', 'post', '/auth/resend-otp'], body: { otpId: 'otp_unknown' }, status: 404, code: 'NOT_FOUND' },
  {
    call: ['admin', 'post', '/api-keys'],
    body: { name: 'Web shop', scope: 'merchant', merchantId: '{merchantId}' },
    status: 201,
    has: 'id key',
    keep: { keyId: 'data.id' },
  },
  {
    call: ['admin', 'post', '/api-keys'],
    body: { name: 'Another' },
    status: 201,
    has: 'id key',
    is: { scope: 'merchant', merchantId: '{merchantId}' },
  },
  { call: ['admin', 'get', '/api-keys'], isList: true, has: 'id name' },
  { call: ['admin', 'get', '/api-keys/{keyId}'], is: { name: 'Web shop' } },
  { call: ['admin', 'put', '/api-keys/{keyId}'], body: { name: 'Shop' }, is: { name: 'Shop' } },
  { call: ['admin', 'delete', '/api-keys/{keyId}'], is: { id: '{keyId}', deleted: true } },
];

/** Section 4.1: the Public API. */
const PUBLIC: readonly Step[] = [
  { call: ['public', 'post', '/testConnection'] },
  { call: ['public', 'get', '/sdk-info'] },
  {
    call: ['open', 'post', '/public/accesstoken'],
    body: { email: '{adminEmail}', password: '{adminPassword}' },
    has: 'token',
    keep: { publicRefreshToken: 'data.refreshToken' },
  },
  { call: ['open', 'post', '/public/refreshToken'], body: { refreshToken: '{publicRefreshToken}' }, has: 'token' },
  { call: ['public', 'post', '/client-token'], has: 'clientToken expiresAt', keep: { clientToken: 'data.clientToken' } },
  { call: ['open', 'post', '/public/validate-client-token'], body: { clientToken: '{clientToken}' }, is: { valid: true } },
  {
    call: ['public', 'post', '/transaction'],
    body: { Amount: 21.5, ...PASCAL, BillingCustomerName: 'Ada Marlow', BillingEmail: 'ada@customer.example' },
    has: APPROVED,
    is: { status: 'approved', type: 'sale', amount: 21.5 },
    keep: { publicSale: 'data.transactionId' },
  },
  {
    call: ['public', 'post', '/transaction'],
    body: { Amount: 22, ...PASCAL, CardNumber: '4000000000000002' },
    isDeclined: true,
    has: 'declineCode declineReason transactionId',
    is: { status: 'declined' },
    keep: { declinedSale: 'data.transactionId' },
  },
  { call: ['public', 'post', '/transaction'], body: { ...PASCAL }, status: 400, code: 'REQUIRED_FIELD_MISSING', field: 'Amount' },
  {
    call: ['public', 'post', '/transaction'],
    body: {
      Amount: 23,
      SuggestedMode: 'ACH',
      AccountNumber: '000123456789',
      RoutingNumber: '021000021',
      AccountType: 'checking',
      BillingCustomerName: 'Ada Marlow',
    },
    is: { status: 'approved' },
    keep: { achSale: 'data.transactionId' },
  },
  {
    call: ['public', 'post', '/refund'],
    body: { transactionId: '{publicSale}', amount: 5 },
    has: REFUND,
    is: { type: 'partial', status: 'approved', remainingAmount: 16.5 },
  },
  { call: ['public', 'post', '/refund'], body: { transactionId: 'txn_unknown' }, status: 404, code: 'NOT_FOUND' },
  { call: ['public', 'post', '/void'], body: { transactionId: '{achSale}' }, is: { status: 'voided' } },
  { call: ['public', 'post', '/rerun'], body: { transactionId: '{declinedSale}' }, isDeclined: true, is: { rerunOf: '{declinedSale}' } },
  { call: ['public', 'post', '/tokenize-card'], body: CARD, has: 'token', keep: { token: 'data.token' } },
  { call: ['public', 'post', '/decrypt-token'], body: { token: '{token}' }, is: { last4: '1111' } },
  { call: ['public', 'post', '/token-transaction'], body: { token: '{token}', amount: 12 }, has: APPROVED, is: { status: 'approved' } },
  { call: ['public', 'get', '/transaction/{publicSale}'], is: { transactionId: '{publicSale}' } },
  { call: ['public', 'get', '/transaction/txn_unknown'], status: 404, code: 'TRANSACTION_NOT_FOUND' },
  {
    call: ['public', 'get', '/transaction-list?page=1&limit=2&startDate=2020-01-01&endDate=2039-12-31&status=approved'],
    isList: true,
    has: 'transactionId',
  },
  { call: ['public', 'get', '/merchant-transactions'], isList: true, has: 'transactionId' },
  {
    call: ['public', 'post', '/customer'],
    body: { firstName: 'Ada', lastName: 'Marlow', email: 'ada@customer.example' },
    status: 201,
    has: 'customerId',
    keep: { publicCustomer: 'data.customerId' },
  },
  { call: ['public', 'get', '/customers'], isList: true, has: 'customerId' },
  { call: ['public', 'get', '/customer/{publicCustomer}'], is: { firstName: 'Ada', lastName: 'Marlow' } },
  { call: ['public', 'put', '/customer/{publicCustomer}'], body: { phone: '+12075550142' }, is: { phone: '+12075550142' } },
  {
    call: ['public', 'post', '/customer/{publicCustomer}/payment-method'],
    body: CARD,
    status: 201,
    has: 'paymentMethodId',
    keep: { publicMethod: 'data.paymentMethodId' },
  },
  { call: ['public', 'get', '/customer/{publicCustomer}/payment-methods'], isList: true, has: 'paymentMethodId' },
  {
    call: ['public', 'post', '/recurring'],
    body: { customerId: '{publicCustomer}', amount: 9, period: 'monthly' },
    status: 201,
    has: SUBSCRIPTION,
  },
  { call: ['public', 'delete', '/customer/{publicCustomer}/payment-method/{publicMethod}'], is: { deleted: true } },
  { call: ['public', 'delete', '/customer/{publicCustomer}'], is: { deleted: true } },
  { call: ['tenant', 'post', '/merchants/provision'], body: { name: 'Provisioned by key' }, status: 201 },
  { call: ['public', 'post', '/merchants/provision'], body: { name: 'Not provisioned' }, status: 403 },
  { call: ['public', 'get', '/merchants'], isList: true, has: 'merchantId' },
  { call: ['public', 'get', '/merchant?id={merchantId}'], is: { merchantId: '{merchantId}' } },
  { call: ['public', 'get', '/getConfig'] },
  { call: ['public', 'get', '/getFee'] },
  {
    call: ['public', 'post', '/otp/generate'],
    body: { type: 'email', destination: 'otp@customer.example' },
    has: 'otpId',
    keep: { otpId: 'data.otpId' },
  },
  { call: ['public', 'post', '/otp/resend'], body: { otpId: '{otpId}' }, status: 429, code: 'RATE_LIMIT_EXCEEDED' },
  { call: ['public', 'post', '/otp/verify'], body: { otpId: '{otpId}', code: '{otpCode}' }, codeFrom: 'otpCode', is: { verified: true } },
  { call: ['public', 'post', '/generate-url'], body: { amount: 31 }, status: 201, has: 'invoiceId url', keep: { payUrl: 'data.url' } },
  { call: ['public', 'post', '/shorten-url'], body: { url: '{payUrl}' }, has: 'shortUrl' },
  {
    call: ['public', 'post', '/shorten-url-sms'],
    body: { url: '{payUrl}', phone: '+12075550143' },

    has: 'shortUrl messageId',
  },
  {
    call: ['public', 'post', '/shorten-url-payment-sms'],
    body: { url: '{payUrl}', phone: '+12075550144' },

    has: 'shortUrl messageId',
  },
  {
    call: ['public', 'post', '/shopifyTransaction'],
    body: { gid: 'gid://shopify/PaymentSession/1', amount: '49.99', currency: 'USD', paymentMethod: { type: 'card', data: card() } },
    has: 'transactionId status',
  },
];

/** Section 4.2: the SDK API, with amounts as text and names in PascalCase. */
const SDK: readonly Step[] = [
  {
    call: ['sdk', 'post', '/transaction'],
    body: {
      Amount: '40.00',
      TransactionType: '0',
      ...SDK_CARD,
      BillingCustomerName: 'Ada Marlow',
      BillingEmail: 'ada@customer.example',
      BillingAddress: '1 Main St',
      BillingCity: 'Portland',
      BillingState: 'ME',
      BillingPostalCode: '04101',
    },
    is: { Amount: '40.00', Type: 'auth', Status: 'approved' },
    has: 'TransactionId',
    keep: { sdkAuth: 'data.TransactionId' },
  },
  { call: ['sdk', 'post', '/capture'], body: { TransactionId: '{sdkAuth}' }, has: 'TransactionId' },
  { call: ['sdk', 'post', '/capture'], body: { TransactionId: '{sdkAuth}' }, status: 409, code: 'ALREADY_CAPTURED' },
  { call: ['sdk', 'post', '/cancel-capture'], body: { TransactionId: '{sdkAuth}' }, has: 'TransactionId' },
  { call: ['sdk', 'post', '/void'], body: { TransactionId: '{sdkAuth}' }, is: { Status: 'voided' } },
  { call: ['sdk', 'post', '/void'], body: { TransactionId: '{sdkAuth}' }, status: 409, code: 'ALREADY_VOIDED' },
  {
    call: ['sdk', 'post', '/transaction'],
    body: { Amount: '41.00', ...SDK_CARD },
    is: { Type: 'sale', Amount: '41.00' },
    keep: { sdkSale: 'data.TransactionId' },
  },
  { call: ['sdk', 'post', '/refund'], body: { TransactionId: '{sdkSale}', Amount: '1.00' }, is: { Amount: '1.00' } },
  { call: ['sdk', 'post', '/credit'], body: { TransactionId: '{sdkSale}', Amount: '2.00' }, is: { Amount: '2.00', Type: 'credit' } },
  { call: ['sdk', 'post', '/tokenize'], body: { CardNumber: '4111111111111111', ExpiryDate: '1231' }, has: 'Token' },
  { call: ['sdk', 'get', '/query/{sdkSale}'], is: { TransactionId: '{sdkSale}' } },
];

/** Sections 4.4 to 4.6: transactions, refunds, and the queue of declined refunds. */
const TRANSACTIONS: readonly Step[] = [
  {
    call: ['admin', 'post', '/transactions'],
    body: {
      ...sale(50),
      billing: { firstName: 'Ada', lastName: 'Marlow', address: '1 Main St', city: 'Portland', state: 'ME', zip: '04101', country: 'US' },
      customer: { email: 'ada@customer.example' },
    },
    has: `${APPROVED} customer.email`,
    is: { status: 'approved' },
    keep: { saleId: 'data.transactionId' },
  },
  {
    call: ['admin', 'post', '/transactions'],
    body: { ...sale(51), type: 'auth' },
    is: { type: 'auth' },
    keep: { authId: 'data.transactionId' },
  },
  {
    call: ['admin', 'post', '/transactions'],
    body: sale(52, '4000000000009995'),
    isDeclined: true,
    is: { status: 'declined', declineCode: 'insufficient_funds' },
    keep: { declinedId: 'data.transactionId' },
  },
  { call: ['admin', 'post', '/transactions'], body: sale(0.5), status: 400, code: 'INVALID_AMOUNT', field: 'amount' },
  {
    call: ['admin', 'post', '/transactions'],
    body: { ...sale(5), card: { ...card(), number: '4111111111111112' } },
    status: 400,
    code: 'INVALID_CARD_NUMBER',
    field: 'card.number',
  },
  { call: ['admin', 'post', '/transactions'], body: sale(1000), isDeclined: true, is: { declineCode: 'exceeds_limit' } },
  {
    call: ['admin', 'get', '/transactions?page=1&limit=5&status=approved&startDate=2020-01-01&endDate=2039-12-31'],
    isList: true,
    has: 'transactionId',
  },
  { call: ['admin', 'get', '/transactions?settlementDate=2026-01-05&status=approved'], isList: true },
  { call: ['admin', 'get', '/transactions/{saleId}'], is: { transactionId: '{saleId}', amount: 50 } },
  { call: ['admin', 'post', '/transactions/{authId}/capture'], body: { amount: 40 }, is: { capturedAmount: 40 } },
  { call: ['admin', 'post', '/transactions/{authId}/cancel-capture'], is: { captured: false } },
  { call: ['admin', 'post', '/transactions/{authId}/void'], body: { reason: 'Not needed' }, is: { status: 'voided' } },
  { call: ['admin', 'post', '/transactions/{authId}/refund'], status: 422, code: 'NOT_REFUNDABLE' },
  {
    call: ['admin', 'post', '/transactions/{saleId}/refund/partial'],
    body: { amount: 10, reason: 'Broken cup' },
    has: `${REFUND} remainingAmount reason`,
    is: { type: 'partial' },
    keep: { refundId: 'data.refundId' },
  },
  { call: ['admin', 'post', '/transactions/{saleId}/refund'], body: { amount: 41 }, status: 422, code: 'INVALID_AMOUNT' },
  {
    call: ['admin', 'post', '/transactions/{saleId}/refund'],
    body: { reason: 'Returned', metadata: { ticket: '7' } },
    has: REFUND,
    is: { amount: 40 },
  },
  { call: ['admin', 'post', '/transactions/{saleId}/refund'], status: 409, code: 'ALREADY_REFUNDED' },
  { call: ['admin', 'post', '/transactions/{saleId}/credit'], body: { amount: 3 }, is: { type: 'credit', amount: 3 } },
  { call: ['admin', 'post', '/transactions/{declinedId}/rerun'], isDeclined: true, is: { rerunOf: '{declinedId}' } },
  { call: ['admin', 'get', '/transactions/export?format=csv&startDate=2039-01-01&endDate=2039-12-31'], file: 'text/csv' },
  { call: ['admin', 'get', '/refunds/{refundId}'], has: `${REFUND} card.brand card.last4`, is: { refundId: '{refundId}' } },
  {
    call: ['admin', 'get', '/refunds?page=1&limit=5&startDate=2020-01-01&endDate=2039-12-31&status=approved&transactionId={saleId}'],
    isList: true,
    has: 'refundId',
  },
  { call: ['admin', 'post', '/transactions'], body: sale(60, '4000000000005126'), keep: { owingId: 'data.transactionId' } },
  { call: ['admin', 'post', '/transactions'], body: sale(61, '4000000000005126'), keep: { otherOwingId: 'data.transactionId' } },
  {
    call: ['admin', 'post', '/transactions/{owingId}/refund'],
    isDeclined: true,
    has: 'refundId declineReason retryScheduledAt',
    is: { status: 'declined', queuedForRetry: true },
  },
  { call: ['admin', 'post', '/transactions/{otherOwingId}/refund'], isDeclined: true },
  {
    call: [
      'admin',
      'get',
      '/refund-decline-queue?status=open&merchantId={merchantId}&fromDate=2020-01-01&toDate=2039-12-31&page=1&limit=2',
    ],
    isList: true,
    has: ENTRY,
    keep: { otherEntryId: 'data.0.id', entryId: 'data.1.id' },
  },
  { call: ['admin', 'get', '/refund-decline-queue/{entryId}'], has: `${ENTRY} gatewayResponse.code attempts` },
  { call: ['admin', 'post', '/refund-decline-queue/{entryId}/retry'], has: 'id message scheduledRetryAt', is: { status: 'processing' } },
  { call: ['service', 'post', '/refund-decline-queue/process-retries'], has: 'processed resolved requeued failed' },
  // An entry cannot be closed while a job retries it.
  { call: ['admin', 'get', '/refund-decline-queue/{entryId}'], is: { status: 'retry' }, isAwaited: true },
  {
    call: ['admin', 'post', '/refund-decline-queue/{otherEntryId}/resolve'],
    body: { notes: 'Check 1042', refundMethod: 'check', refundDate: '2026-11-20' },
    has: 'id resolvedAt resolvedBy resolutionNotes',
    is: { status: 'resolved' },
  },
  {
    call: ['admin', 'post', '/refund-decline-queue/{otherEntryId}/cancel'],
    body: { reason: 'Paid' },
    status: 409,
    code: 'RESOURCE_CONFLICT',
  },
  {
    call: ['admin', 'post', '/refund-decline-queue/{entryId}/cancel'],
    body: { reason: 'Paid in cash', notes: 'By the manager' },
    has: 'id cancelledAt cancelledBy cancellationReason',
    is: { status: 'cancelled' },
  },
  {
    call: ['admin', 'get', '/refund-decline-queue/stats?period=30d'],
    has: 'totalEntries resolved failed pending resolutionRate averageAttempts averageResolutionTime',
  },
];

export { AUTHENTICATION, PUBLIC, SDK, TRANSACTIONS };
