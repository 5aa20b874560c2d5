import { money, parseCurrency } from '#core/kernel';
import type { Merchant } from '#core/merchants';
import type { Refund, Transaction } from '#core/payments';
import type { ReceiptSubject } from '../../../core/receipts/content.ts';

const USD = parseCurrency('USD');
export const usd = (minor: number) => money(minor, USD);

export const MERCHANT: Merchant = {
  merchantId: 'mer_1',
  name: 'Harbour Cycle Works',
  legalName: null,
  email: 'shop@harbour.example',
  phone: '+12075550142',
  currency: USD,
  timezone: 'America/New_York',
  country: 'US',
  address: '1 Quay Street',
  city: 'Portland',
  state: 'ME',
  zip: '04101',
  vtSettings: {
    requireCvv: true,
    requireZip: true,
    allowedModes: ['card', 'ach', 'token'],
    defaultType: 'sale',
    tipEnabled: false,
    receiptWidth: '80mm',
    autoPrint: false,
    receiptHeader: '',
    receiptFooter: 'Refunds within 30 days with this receipt.',
    tenders: ['cash', 'check'],
    otherTenders: [],
    cashRequiresShift: false,
    chargeLaterMaxAmount: null,
    chargeLaterMaxPerCustomer: null,
    shiftPer: 'drawer',
  },
  amountSettings: {
    surchargePercent: 0,
    surchargeCheck: 'rule',
    pageTips: 'off',
    tipPercents: [],
    tipCustomAmount: true,
    taxName: 'Sales tax',
    taxPercent: 0,
    taxIncluded: false,
  },
  cardFeePercent: 2.9,
  fraud: {
    declineOnAvs: [],
    declineOnCvv: [],
    maxAmount: null,
    duplicateWindowSeconds: 0,
    maxPerCardPerHour: null,
    blockedBins: [],
    blockedEmails: [],
  },
  routing: { rules: [] },
  dunning: { retryIntervalsDays: [], finalAction: 'cancel', notifyCustomer: false, missedPeriods: 'latest' },
  ceiling: null,
  branding: { logoUrl: null, primaryColor: '#0F5C73', accentColor: '#17683D', companyName: 'Harbour Cycle Works' },
  language: 'en',
  publicUrl: null,
  allowPrivateWebhookTargets: false,
  refundMaxAttempts: 3,
  createdAt: '2026-01-01T00:00:00.000Z',
  deletedAt: null,
};

export const TRANSACTION: Transaction = {
  transactionId: 'txn_01kx8b5w7vfa1r3m9c2q4z6d8e',
  tenantId: 'ten_1',
  merchantId: 'mer_1',
  type: 'sale',
  paymentMethod: 'card',
  amount: usd(450_000),
  tipAmount: usd(0),
  surchargeAmount: usd(0),
  taxAmount: usd(0),
  discountAmount: usd(0),
  discountApprovedBy: null,
  currency: USD,
  status: 'approved',
  captured: true,
  capturedAmount: usd(450_000),
  capturedAt: '2026-11-20T22:14:00.000Z',
  refundedAmount: usd(0),
  refundStatus: 'none',
  reservedAmount: usd(0),
  disputedAmount: usd(0),
  voidedAt: null,
  voidReason: null,
  approvedBy: null,
  shiftId: null,
  settledAt: null,
  settlementDate: null,
  settlementId: null,
  captureHeldUntil: null,
  returnedAt: null,
  returnCode: null,
  retryAdvice: null,
  gateway: 'sandbox',
  processorRef: 'KQ7ZB2MNRT4WXY5HJC6D',
  authCode: 'A1B2C3',
  avsResponse: 'Y',
  cvvResponse: 'M',
  details: null,
  declineCode: null,
  declineReason: null,
  errorCode: null,
  token: null,
  card: { brand: 'visa', last4: '1111', expiryMonth: '12', expiryYear: '2028' },
  bankAccount: null,
  customer: null,
  billing: null,
  rerunOf: null,
  customerId: null,
  subscriptionId: null,
  lineItems: [],
  invoiceId: null,
  orderId: 'A-100',
  purchaseOrderNumber: null,
  createdBy: 'clerk@example.com',
  description: 'Brake pads, front',
  metadata: null,
  source: 'keyed',
  pendingReason: null,
  createdAt: '2026-11-20T22:14:00.000Z',
  updatedAt: '2026-11-20T22:14:00.000Z',
};

export const REFUND: Refund = {
  refundId: 'ref_01kx8b5w7vfa1r3m9c2q4z6d8f',
  transactionId: TRANSACTION.transactionId,
  merchantId: 'mer_1',
  status: 'approved',
  amount: usd(1_000),
  tipAmount: usd(0),
  surchargeAmount: usd(0),
  taxAmount: usd(0),
  remainingAmount: usd(449_000),
  currency: USD,
  reason: null,
  type: 'partial',
  refundedAt: '2026-11-21T10:00:00.000Z',
  settledAt: null,
  card: TRANSACTION.card,
  bankAccount: null,
  declineCode: null,
  declineReason: null,
  queuedForRetry: false,
  retryScheduledAt: null,
  errorCode: null,
  processorRef: 'REFUNDREF4WXY5HJC6DQ',
  sentAs: 'refund',
  approvedBy: null,
  createdAt: '2026-11-21T09:59:59.000Z',
};

export const SUBJECT: ReceiptSubject = {
  transaction: TRANSACTION,
  refund: null,
  merchant: MERCHANT,
  invoiceNumber: null,
  copy: 'customer',
  isSandbox: false,
  isTest: false,
  isDuplicate: false,
};

export function withTransaction(change: Partial<Transaction>, rest: Partial<ReceiptSubject> = {}): ReceiptSubject {
  return { ...SUBJECT, ...rest, transaction: { ...TRANSACTION, ...change } };
}

export function withMerchant(change: Partial<Merchant>, rest: Partial<ReceiptSubject> = {}): ReceiptSubject {
  return { ...SUBJECT, ...rest, merchant: { ...MERCHANT, ...change } };
}

/** The footer of the merchant's receipts. */
export function withFooter(receiptFooter: string, subject: ReceiptSubject = SUBJECT): ReceiptSubject {
  const vtSettings = { ...MERCHANT.vtSettings, receiptFooter };
  return { ...subject, merchant: { ...subject.merchant, vtSettings } };
}
