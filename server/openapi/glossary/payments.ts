import { type Glossary, ID, id, time } from './entry.ts';

const lines = (what: string): readonly [string, number] => [`Number of lines ${what}`, 12];

/** Fields of payments, customers, subscriptions, invoices, settlements, items, bank statements and imports. */
export const PAYMENTS: Glossary = {
  // Transactions
  status: ['Status'],
  type: ['Type'],
  paymentMethod: ['Kind of the payment method'],
  refundStatus: ['Extent of the approved refunds'],
  markets: ['Markets that the account is set up for', ['ecommerce', 'moto']],
  approvalId: id('apr', 'approval'),
  requestedBy: ['Email address of the user, or name of the API key, that made the request', 'cashier@example.com'],
  decidedBy: ['Person who approved or rejected; null before a decision', 'manager@example.com'],
  approvedBy: ['Person who approved the operation as the second one; null if none was needed', null],
  discountApprovedBy: ['Person who approved the discount as the second one; null if none was needed', null],
  gateway: ['Gateway that processed the payment', 'sandbox'],
  authCode: ['Authorization code of the issuer', 'A1B2C3'],
  declineReason: ['Explanation of the decline', null],
  token: ['Token of the card or bank account; can be charged again', `tok_${ID}`],
  card: ['Card; null for other payment methods'],
  bankAccount: ['Bank account; null for cards', null],
  customer: ['Customer as named for this record'],
  billing: [
    'Billing address: `address`, `city`, `state`, `zip`',
    { address: '12 Harbor Street', city: 'Portland', state: 'ME', zip: '04101' },
  ],
  tipAmount: ['Tip within the amount, in major units; once the payment is captured, within the captured amount', 8],
  totalAmount: ['Total, in major units; in a quote, the amount with the surcharge', 103],
  surchargeAmount: ['Surcharge within the amount, in major units', 0],
  taxAmount: ['Sales tax within the amount, in major units', 4.25],
  metadata: ['Values of your own, stored unchanged', { cart: '1001' }],
  description: ['Description', 'Repair'],
  brand: ['Brand of the card', 'visa'],
  last4: ['Last four digits', '1111'],
  expiryMonth: ['Month of expiry, two digits', '12'],
  expiryYear: ['Year of expiry, four digits', '2031'],
  number: ['Card number', '4111111111111111'],
  cardNumber: ['Card number', '4111111111111111'],
  accountType: ['Type of the account', 'checking'],
  accountHolderName: ['Holder of the account', 'Ann Marsh'],
  actor: ['User, API key or job that did it', 'Demo merchant key'],
  action: ['Action', 'transaction.create'],

  billingCustomerName: ['Name of the payer', 'Ann Marsh'],
  billingEmail: ['Email address of the payer, for the receipt', 'ann@customer.example'],
  billingAddress: ['Street of the billing address, for the address check', '12 Harbor Street'],
  billingCity: ['City of the billing address', 'Portland'],
  billingState: ['State of the billing address', 'ME'],
  billingPostalCode: ['ZIP code of the billing address, for the address check', '04101'],

  // Failed refunds
  queuedForRetry: ['true if the refund is retried automatically', false],
  attempts: ['Attempts, oldest first'],
  attempt: ['Number of the attempt, from 1', 1],
  attemptCount: ['Number of attempts so far', 1],
  cancelledBy: ['Name of the person who canceled it', null],
  reason: ['Reason', null],
  errorCode: ['Error code that matches the decline', null],

  // Disputes
  disputeId: id('dsp', 'dispute'),
  movementId: id('dsm', 'movement'),
  stage: ['Stage of the dispute'],
  attachmentId: id('dat', 'attachment'),
  packId: id('dpk', 'evidence pack'),
  returnedAmount: ['Part of the disputed amount that the decision returned to the merchant', 0],
  reportId: id('drp', 'report of the processor'),
  daysRemaining: ['Days until the evidence is due', 7],

  // Customers
  firstName: ['First name', 'Ann'],
  lastName: ['Last name', 'Marsh'],
  name: ['Name', 'Harbor Street'],
  email: ['Email address', 'ann@customer.example'],
  phone: ['Phone number with country code', '+12075550142'],
  company: ['Company', 'Marsh & Co'],
  address: ['Postal address', null],
  notes: ['Notes of the staff', null],
  note: ['Note', 'Agreed with the customer.'],
  defaultPaymentMethod: ['Payment method that is charged by default; null if there is none', null],
  customerEmail: ['Email address of the customer', 'ann@customer.example'],

  // Subscriptions
  frequency: ['Interval of the payments or settlements'],
  period: ['The same as `frequency`'],
  'query.period': ['Period that ends today'],
  days: ['Number of days', 30],
  returned: ['true if the bank returned a payment that it had approved', false],
  declineCode: ['Decline code', null],

  // Invoices
  unitPrice: ['Price of a unit, in major units', 80],
  url: ['Address', 'http://127.0.0.1:4801/pay/Zk3v9q'],
  shortUrl: ['Short address of the payment page', 'http://127.0.0.1:4801/p/7k2mq9xw'],
  reference: ['Reference, such as the number of a check', '1042'],
  kind: ['Kind'],

  // Settlement and reconciliation
  dateFormat: ['Format of the dates in the file'],
  sign: ['Sign of refunds in the file'],
  file: ['File', 'settlements.csv'],
  accounts: ['Balance by account, in major units'],

  tenderId: id('tnd', 'tender'),
  terminalId: id('trm', 'card reader'),
  cardSaveId: id('csv', 'request to store a card by a card reader'),
  model: ['Model of the card reader', 'Simulated reader'],
  workstation: ['Workstation whose Sell screen uses the card reader first: the name of its drawer; null for none', 'Drawer 1'],
  connection: ['Connection of the card reader, online or offline', 'online'],
  entryMode: ['How the card reader read the card: chip, contactless, swipe or keyed; null before it did', 'chip'],
  shiftId: id('shf', 'shift'),
  queuedPaymentId: id('qpy', 'payment that is charged later'),
  chargeLaterMaxAmount: ['Largest amount of a payment that is charged later', 200],
  chargeLaterMaxPerCustomer: ['Largest sum of the open payments of a customer that are charged later', 500],
  chargeLaterCurrency: [
    'Currency of the limits of payments that are charged later. Set with a limit; if the merchant changes its currency, no payment is queued until the limits are set again',
    'USD',
  ],
  unit: ['Smallest sum that coins can pay, in major units', 0.05],
  zNumber: ['Number of the Z report, per merchant and without gaps', 1],
  salesCount: ['Number of sales; an order is one sale, with its first payment', 3],
  paymentsCount: ['Number of payments; an order can have several', 4],
  drawer: ['Name of the cash drawer', 'Drawer 1'],
  openedBy: ['Person or program that opened the shift', 'cashier@example.com'],
  openedAt: time('Time of the opening'),

  giftCardId: id('gcd', 'gift card'),
  lateFeeId: id('lfe', 'late fee'),
  lastCharacters: ['Last characters of the code of the gift card', '7K2M'],
  expiresOn: ['Last day on which the gift card pays; null for never', '2031-11-30'],

  // Items
  itemId: id('itm', 'item'),
  key: ['Short code that is typed at the terminal, in capitals; null for none', 'FW'],

  // Statements and lines
  bankAccountId: id('bac', 'bank account'),
  lineId: id('bln', 'bank line'),
  ruleId: id('brl', 'rule'),
  matches: ['Accepted explanations of the line'],

  // Close
  closedAt: time('Time of the close'),
  closedBy: ['Person who closed the period', 'owner@example.com'],

  // Exports of the journal
  journalExportId: id('jex', 'export of the journal'),
  only: ['`new` if the file omits the entries of earlier exports; null for all entries of the period', 'new'],
  entries: ['Number of entries in the file', 42],

  // Imports and exports of customers
  'CustomerImport.importId': id('cim', 'import'),
  exportId: id('cex', 'export'),
  transferKeyId: id('tky', 'transfer key'),
  publicKey: ['OpenPGP public key in ASCII armor', '-----BEGIN PGP PUBLIC KEY BLOCK-----'],
  lines: ['Number of payment methods and customers in the file', 120],
  create: lines('with a new customer'),
  update: lines('that add or renew a payment method of an existing customer'),
  duplicate: lines('that are known already'),
  shared: lines('with a card that another customer has'),
  rejected: lines('that cannot be imported'),
  layout: ['Layout of the file: paydesk or stripe', 'paydesk'],
  recipientFingerprint: ['Fingerprint of the OpenPGP key of the recipient', '4d154765013d00d94d154765013d00d94d154765'],
  customerCount: ['Number of customers in the file', 100],
  paymentMethodCount: ['Number of payment methods in the file', 112],
  leftOutCount: ['Number of cards that are stored at a gateway only, so the file has no number of them', 0],
};
