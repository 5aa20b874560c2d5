import { ID } from './glossary/entry.ts';

const CUSTOMER_ID = `cus_${ID}`;
const INVOICE_ID = `inv_${ID}`;
const TRANSACTION_ID = `txn_${ID}`;
const CUSTOMER = { firstName: 'Ann', lastName: 'Marsh', email: 'ann@customer.example' };
const INSTALLMENT_PLAN = {
  invoice: { customerId: CUSTOMER_ID, amount: 300 },
  count: 3,
  interval: 'monthly',
  consentText: 'I agree to be charged in three monthly installments.',
};
const ENDPOINT = { url: 'https://shop.example/hooks', events: ['transaction.approved', 'refund.processed'] };
const CARD = { number: '4111111111111111', expiryMonth: '12', expiryYear: '2031', cvv: '123' };
const PASSWORD = 'correct horse battery';
// Dates that a request may not have in the past are years ahead.
const DISPUTE = { notes: 'Called the customer, who agreed with the charge.', dueDate: '2031-12-05' };
const PACK = { letter: 'The customer collected the order on November 21 and signed for it.' };
const TENDER_REFUND = { amount: 5, reason: 'Returned goods' };
const PAY_IN = { amount: 50, reason: 'Change from the bank' };
const PAY_OUT = { amount: 12.5, reason: 'Stamps' };
const FRAUD = { declineOnCvv: ['N'], maxAmount: 2500, duplicateWindowSeconds: 120, maxPerCardPerHour: 5 };
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
  'admin.quoteSurcharge': { amount: 100, firstDigits: '41111111' },
  'public.quoteSurcharge': { amount: 100, firstDigits: '41111111' },
  'sdk.quoteSurcharge': { Amount: '100.00', FirstDigits: '41111111' },
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
  'public.createCardUpdateLink': { sendVia: ['email'] },
  'public.createSubscriptionUpdateLink': { sendVia: ['email'] },
  'admin.createCardUpdateLink': { sendVia: ['email'] },
  'admin.createSubscriptionUpdateLink': { sendVia: ['email'] },
  'public.createInstallmentPlan': INSTALLMENT_PLAN,
  'admin.createInstallmentPlan': INSTALLMENT_PLAN,
  'public.previewInstallmentPlan': { invoiceId: INVOICE_ID, count: 3, interval: 'monthly' },
  'admin.previewInstallmentPlan': { invoiceId: INVOICE_ID, count: 3, interval: 'monthly' },
  'public.cancelInstallmentPlan': { reason: 'Paid by bank transfer' },
  'admin.cancelInstallmentPlan': { reason: 'Paid by bank transfer' },
  'admin.previewSubscription': { frequency: 'monthly', startDate: '2031-12-01' },
  'public.generateOtp': { type: 'email', destination: 'ann@customer.example' },
  'admin.moveSandboxClock': { advanceSeconds: 86_400 },
  'admin.addGateway': { type: 'sandbox', name: 'Second sandbox' },
  'admin.createPaymentLink': { amount: 49.99, description: 'Deposit', customerEmail: 'ann@customer.example', sendVia: ['email'] },
  'public.createPaymentLink': { amount: 49.99, description: 'Deposit', customerEmail: 'ann@customer.example', sendVia: ['email'] },
  'admin.createInvoice': { customerId: CUSTOMER_ID, items: [{ description: 'Repair', quantity: 1.5, unitPrice: 80 }] },
  'admin.payInvoice': { amount: 20, paymentMethod: 'check', reference: '1042' },
  'admin.createWebhookEndpoint': ENDPOINT,
  'admin.createWebhookEndpointAlias': ENDPOINT,
  'admin.createApiKey': {
    name: 'Web shop',
    scope: 'tenant',
    permissions: ['transactions:write'],
    currentPassword: PASSWORD,
  },
  'admin.setEmailChannel': {
    host: 'smtp.example.com',
    port: 587,
    security: 'starttls',
    user: 'till@shop.example',
    password: PASSWORD,
    fromName: 'Harbor Books',
    fromAddress: 'till@shop.example',
    currentPassword: PASSWORD,
  },
  'admin.setSmsChannel': {
    provider: 'twilio',
    accountSid: 'AC00000000000000000000000000000000',
    authToken: '00000000000000000000000000000000',
    from: '+15005550006',
    currentPassword: PASSWORD,
  },
  'admin.sendWebhookEvent': { eventId: `evt_${ID}` },
  'admin.sendWebhookEventAlias': { eventId: `evt_${ID}` },
  'admin.logout': { refreshToken: 'rt_7f2c91d04be84a53' },
  'admin.startWebhookCatchUp': { fromDate: '2026-11-01' },
  'public.startWebhookCatchUp': { fromDate: '2026-11-01' },
  'admin.startWebhookCatchUpAlias': { fromDate: '2026-11-01' },
  'admin.createItem': { name: 'Flat white', price: 4.5, taxRate: 8.875, key: 'FW', barcode: '4006381333931' },
  'public.createItem': { kind: 'amount', name: 'Donation', price: 20 },
  'admin.createTender': { kind: 'cash', amount: 42.5, amountGiven: 50 },
  'public.createTender': { kind: 'check', amount: 30, checkNumber: '1042', checkBank: 'First Harbor Bank' },
  'admin.grantDiscount': { price: 50, discountAmount: 10, reason: 'Damaged box' },
  'public.grantDiscount': { price: 50, discountAmount: 10, reason: 'Damaged box' },
  'admin.openShift': { drawer: 'Counter', amount: 200 },
  'public.openShift': { drawer: 'Kiosk', count: [{ denomination: 20, quantity: 5 }] },
  'admin.closeShift': { count: [{ denomination: 20, quantity: 12 }], note: 'Wrong change given' },
  'public.closeShift': { amount: 240 },
  'admin.emailReceipt': { transactionId: TRANSACTION_ID, email: 'ann@customer.example' },
  'admin.printReceipt': { transactionId: TRANSACTION_ID, format: 'html' },

  // Settings of merchants
  'admin.updateMerchant': { phone: '+12075550142', address: '1 Harbor Street' },
  'admin.changeSettings': { language: 'en', cardFee: { percent: 2.9, fixed: 0.3, cap: null } },
  'admin.changeFraudSettings': FRAUD,
  'admin.tryFraudSettings': FRAUD,
  'admin.changeAmountSettings': { surchargePercent: 3 },
  'admin.changeVtSettings': { requireZip: true, receiptFooter: 'Thank you!' },
  'admin.changeBranding': { companyName: 'Harbor Street', primaryColor: '#1f5f8b' },
  'admin.changeDunningSettings': { retryIntervalsDays: [1, 3, 7], finalAction: 'pause' },
  'admin.changeGatewayRouting': { rules: [{ condition: 'amount > 500', gateway: `gw_${ID}` }, { default: `gw_${ID}` }] },
  'admin.tryGatewayRouting': { sale: { amount: 750, currency: 'USD', paymentMethod: 'card' } },
  'admin.updateGateway': { name: 'Main sandbox', currentPassword: PASSWORD },
  'admin.updateSettlementSchedule': { frequency: 'daily', cutoffTime: '17:00', delayDays: 2 },
  'admin.createJournalExport': { startDate: '2026-11-01', endDate: '2026-11-30', only: 'new' },
  'admin.updateJournalAccounts': { sales: { name: 'Card sales', code: '4000' } },

  // Persons and access
  'admin.setPin': { pin: '481627', currentPassword: PASSWORD },
  'admin.changePassword': { currentPassword: PASSWORD, newPassword: 'seven gray herons wade' },
  'admin.createUser': { email: 'ben@harborstreet.example', name: 'Ben Ortiz', role: 'cashier' },
  'admin.updateUser': { name: 'Ben Ortiz', phone: '+12075550143' },
  'admin.createRole': { name: 'Evening shift', permissions: ['transactions:read', 'transactions:write'] },
  'admin.updateRole': { permissions: ['transactions:read', 'transactions:write', 'refunds:read'] },
  'admin.updateApiKey': { name: 'Web shop', currentPassword: PASSWORD },
  'admin.setApprovalRules': { refundAbove: 100, discountAbovePercent: 10, currentPassword: PASSWORD },
  'admin.approveOperation': { approverId: `usr_${ID}`, pin: '481627' },
  'admin.rejectOperation': { reason: 'The customer kept the goods.' },
  'public.createClientToken': { merchantId: `mer_${ID}` },

  'admin.verifyOtp': { otpId: `otp_${ID}`, code: '482913' },
  'public.verifyOtp': { otpId: `otp_${ID}`, code: '482913' },
  'admin.deleteUser': { keepApiKeyIds: [] },
  'admin.confirmAuthenticatorApp': { code: '482913' },

  'admin.runCustomerImport': { sharedCards: 'skip' },

  'admin.updateItem': { price: 4.75 },
  'public.updateItem': { price: 4.75 },
  'admin.orderItems': { itemIds: [`itm_${ID}`] },
  'public.orderItems': { itemIds: [`itm_${ID}`] },

  // Payments
  'admin.captureTransaction': { amount: 49.99 },
  'admin.voidTransaction': { reason: 'Wrong amount' },
  'admin.refundTransaction': { amount: 5, reason: 'Returned goods' },
  'admin.refundTransactionPartially': { amount: 5 },
  'public.refundTransaction': { transactionId: TRANSACTION_ID, amount: 5 },
  'sdk.refundTransaction': { TransactionId: TRANSACTION_ID, Amount: '5.00' },
  'admin.resolveRefund': { refundMethod: 'check', notes: 'Check 1042 sent by post.' },
  'admin.cancelRefundRetry': { reason: 'The customer took an exchange.' },
  'admin.updateSubscription': { amount: 30 },
  'admin.cancelSubscription': { reason: 'The customer moved away.' },
  'admin.updateInvoice': { dueDate: '2031-12-31', note: 'Thank you for your order.' },
  'admin.sendInvoice': { sendVia: ['email'], message: 'Your invoice for the repair.' },
  'admin.cancelInvoice': { reason: 'Ordered twice' },
  'admin.refundTender': TENDER_REFUND,
  'public.refundTender': TENDER_REFUND,
  'admin.returnCheck': { reason: 'Insufficient funds' },
  'public.returnCheck': { reason: 'Insufficient funds' },
  'admin.payIntoShift': PAY_IN,
  'public.payIntoShift': PAY_IN,
  'admin.payOutOfShift': PAY_OUT,
  'public.payOutOfShift': PAY_OUT,
  'admin.updateDispute': DISPUTE,
  'public.updateDispute': DISPUTE,
  'admin.createEvidencePack': PACK,
  'public.createEvidencePack': PACK,
  'admin.submitDispute': { packId: `dpk_${ID}` },
  'public.submitDispute': { packId: `dpk_${ID}` },
  'admin.settleNow': { merchantId: `mer_${ID}` },
  'admin.reopenPeriod': { date: '2026-11-21', reason: 'A payout arrived late.' },

  // Messages, webhooks and the system
  'admin.matchBankLine': { parts: [{ kind: 'ignore' }], note: 'Rent' },
  'admin.openDrawer': { pin: 2, reason: 'Change for a customer' },
  'admin.resendMessage': { to: 'ann@customer.example' },
  'public.updateWebhookEndpoint': { events: ['transaction.approved'], description: 'Order system' },
  'admin.updateWebhookEndpoint': { events: ['transaction.approved'], description: 'Order system' },
  'admin.updateWebhookEndpointAlias': { events: ['transaction.approved'], description: 'Order system' },
  'admin.changeBackup': { isOn: true, time: '02:30', keep: 14 },
  'admin.checkArchive': { archiveId: `arc_${ID}` },
  'admin.changeArchive': { isOn: true, keepYears: 3 },
  'admin.checkBackup': { backupId: `bkp_${ID}` },
};
