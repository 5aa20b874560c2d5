const CUSTOMER_ID = 'cus_01m7y495cj0020acfq3xv5ygj8';
const CUSTOMER = { firstName: 'Ann', lastName: 'Marsh', email: 'ann@customer.example' };
const ENDPOINT = { url: 'https://shop.example/hooks', events: ['transaction.approved', 'refund.processed'] };
const CARD = { number: '4111111111111111', expiryMonth: '12', expiryYear: '2031', cvv: '123' };
const STORED_CARD = { number: CARD.number, expiryMonth: CARD.expiryMonth, expiryYear: CARD.expiryYear };

/** Examples of request bodies, by operation, where the required fields alone are not a useful request. */
export const REQUEST_EXAMPLES: Readonly<Record<string, unknown>> = {
  'public.createTransaction': {
    Amount: '49.99',
    CardNumber: CARD.number,
    ExpiryMonth: CARD.expiryMonth,
    ExpiryYear: CARD.expiryYear,
    CVV: CARD.cvv,
    BillingPostalCode: '04101',
  },
  'sdk.createTransaction': { Amount: '49.99', CardNumber: CARD.number, ExpiryDate: '1231', Cvv: CARD.cvv },
  'admin.createTransaction': { amount: 49.99, card: CARD, orderId: 'order-1001' },
  'public.shopifyTransaction': {
    gid: 'gid://shopify/PaymentSession/gid-1001',
    amount: '49.99',
    currency: 'USD',
    paymentMethod: { type: 'card', data: CARD },
  },
  'public.createCustomer': CUSTOMER,
  'admin.createCustomer': CUSTOMER,
  'public.updateCustomer': { phone: '+12075550142' },
  'admin.updateCustomer': { phone: '+12075550142' },
  'public.addPaymentMethod': {
    cardNumber: CARD.number,
    expiryMonth: CARD.expiryMonth,
    expiryYear: CARD.expiryYear,
    consentText: 'I agree to be charged every month.',
  },
  'admin.addPaymentMethod': { card: STORED_CARD, consentText: 'I agree to be charged every month.' },
  'public.createSubscription': { customerId: CUSTOMER_ID, amount: 25, period: 'monthly' },
  'admin.createSubscription': { customerId: CUSTOMER_ID, amount: 25, frequency: 'monthly' },
  'admin.previewSubscription': { frequency: 'monthly', startDate: '2026-12-01' },
  'public.generateOtp': { type: 'email', destination: 'ann@customer.example' },
  'admin.addGateway': { type: 'sandbox', name: 'Second sandbox' },
  'admin.createInvoice': { customerId: CUSTOMER_ID, items: [{ description: 'Repair', quantity: 1.5, unitPrice: 80 }] },
  'admin.payInvoice': { amount: 20, paymentMethod: 'check', reference: '1042' },
  'admin.createWebhookEndpoint': ENDPOINT,
  'admin.createWebhookEndpointAlias': ENDPOINT,
  'admin.createApiKey': {
    name: 'Web shop',
    scope: 'tenant',
    permissions: ['transactions:write'],
    currentPassword: 'correct horse battery',
  },
  'admin.setEmailChannel': {
    host: 'smtp.example.com',
    port: 587,
    security: 'starttls',
    user: 'till@shop.example',
    password: 'correct horse battery',
    fromName: 'Harbor Books',
    fromAddress: 'till@shop.example',
    currentPassword: 'correct horse battery',
  },
  'admin.setSmsChannel': {
    provider: 'twilio',
    accountSid: 'AC00000000000000000000000000000000',
    authToken: '00000000000000000000000000000000',
    from: '+15005550006',
    currentPassword: 'correct horse battery',
  },
  'admin.sendWebhookEvent': { eventId: 'evt_01m7y495cj0020acfq3xv5ygj8' },
  'admin.sendWebhookEventAlias': { eventId: 'evt_01m7y495cj0020acfq3xv5ygj8' },
  'admin.startWebhookCatchUp': { fromDate: '2026-11-01' },
  'admin.startWebhookCatchUpAlias': { fromDate: '2026-11-01' },
  'admin.printReceipt': { transactionId: 'txn_01m7y495cj0020acfq3xv5ygj8', format: 'text' },
};
