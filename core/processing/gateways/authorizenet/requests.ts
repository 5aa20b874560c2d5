import { assert, formatDecimal, type Money } from '#core/kernel';
import type { CardSource, Source } from '#core/records/vault';
import type { SecCode } from '#shared/channels';
import { creditSecCode, type Market } from '../channels.ts';
import type { ChargeRequest, ReferencedRequest, StoredCredential } from '../connector.ts';
import { retailOf } from './channels.ts';

// The processor converts JSON to XML and requires the members in the order of its schema, as they are here.

type Json = Readonly<Record<string, unknown>>;

const PURCHASE_ORDER_MAX = 25;
const LINES_MAX = 30;
const LINE_NAME_MAX = 31;
const DUPLICATE_WINDOW_SECONDS = 28_800;

/** Returns a text cut to the processor's length; undefined if it is empty. */
const truncated = (text: string | undefined, length: number): string | undefined =>
  text === undefined || text.trim() === '' ? undefined : text.trim().slice(0, length);

/** Returns the request of a new payment. */
export function paymentRequest(transactionType: string, charge: ChargeRequest, markets: readonly Market[] | null): Json {
  const { source, billing, storedCredential } = charge;
  return {
    transactionType,
    amount: formatDecimal(charge.amount),
    currencyCode: charge.amount.currency,
    payment: paymentOf(source, charge.secCode),
    order: { invoiceNumber: charge.processorRef },
    lineItems: lineItemsOf(charge.lineItems),
    tax: partOf(charge.parts?.tax, 'Sales tax'),
    poNumber: truncated(charge.purchaseOrderNumber, PURCHASE_ORDER_MAX),
    customer: charge.email === undefined ? undefined : { email: truncated(charge.email, 255) },
    billTo: billing && {
      firstName: truncated(billing.firstName, 50),
      lastName: truncated(billing.lastName, 50),
      address: truncated(billing.address, 60),
      city: truncated(billing.city, 40),
      state: truncated(billing.state, 40),
      zip: truncated(billing.zip, 20),
      country: truncated(billing.country, 60),
    },
    retail: source.kind === 'card' ? retailOf(charge.channel, markets) : undefined,
    transactionSettings: settings({
      duplicateWindow: String(DUPLICATE_WINDOW_SECONDS),
      allowPartialAuth: String(charge.allowsPartialApproval === true),
      emailCustomer: 'false',
      ...(charge.channel === 'recurring' || charge.channel === 'installment' ? { recurringBilling: 'true' } : {}),
    }),
    surcharge: partOf(charge.parts?.surcharge, 'Surcharge'),
    tip: partOf(charge.parts?.tip, 'Tip'),
    processingOptions: storedCredential && processingOptions(storedCredential),
    subsequentAuthInformation: storedCredential && subsequentAuthInformation(storedCredential),
  };
}

/** Returns the lines of a sale; undefined if there are none, or more than the processor takes. */
function lineItemsOf(lines: ChargeRequest['lineItems']): Json | undefined {
  if (lines === undefined || lines.length > LINES_MAX) return undefined;
  return {
    lineItem: lines.map(({ itemId, description, quantity, unitPrice, discountAmount, taxAmount, amount }, index) => ({
      itemId: itemId ?? String(index + 1),
      name: truncated(description, LINE_NAME_MAX),
      quantity: String(quantity),
      unitPrice: formatDecimal(unitPrice),
      taxable: String(taxAmount.minor > 0),
      // Without these, the processor takes quantity times unit price as the total of the line.
      ...(discountAmount.minor > 0 && {
        totalAmount: formatDecimal(amount),
        discountAmount: formatDecimal(discountAmount),
        taxIncludedInTotal: 'true',
        taxIsAfterDiscount: 'true',
      }),
    })),
  };
}

/** Returns a part of the amount as the processor names it; undefined if the payment does not have it. */
function partOf(part: Money | undefined, name: string): Json | undefined {
  return part === undefined || part.minor === 0 ? undefined : { amount: formatDecimal(part), name };
}

export function captureRequest(request: ReferencedRequest): Json {
  return {
    transactionType: 'priorAuthCaptureTransaction',
    amount: formatDecimal(request.amount),
    // A capture sends no invoice number, so that the payment keeps that of its authorization, by which inquiries and settlement find it.
    refTransId: request.original.reference,
    tax: partOf(request.parts?.tax, 'Sales tax'),
    surcharge: partOf(request.parts?.surcharge, 'Surcharge'),
    tip: partOf(request.parts?.tip, 'Tip'),
  };
}

export function voidRequest(request: ReferencedRequest): Json {
  return { transactionType: 'voidTransaction', refTransId: request.original.reference };
}

/** Returns the request of a refund, with the payment and its payment method: for a card, only the last four digits. */
export function refundRequest(request: ReferencedRequest, paidWith: NonNullable<ReferencedRequest['paidWith']>): Json {
  const payment =
    paidWith.kind === 'ach'
      ? paymentOf(paidWith, creditSecCode(paidWith.holder))
      : { creditCard: { cardNumber: paidWith.last4, expirationDate: 'XXXX' } };
  return {
    transactionType: 'refundTransaction',
    amount: formatDecimal(request.amount),
    currencyCode: request.amount.currency,
    payment,
    refTransId: request.original.reference,
    order: { invoiceNumber: request.processorRef },
    transactionSettings: settings({ duplicateWindow: String(DUPLICATE_WINDOW_SECONDS), emailCustomer: 'false' }),
  };
}

function paymentOf(source: Source, echeckType: SecCode | undefined): Json {
  if (source.kind === 'card') return { creditCard: cardOf(source) };
  assert(source.kind === 'ach', 'a card that another gateway stores is not sent');
  return {
    bankAccount: {
      // The account of a company has one type, whatever kind of account it is.
      accountType: source.holder === 'company' ? 'businessChecking' : source.accountType,
      routingNumber: source.routingNumber,
      accountNumber: source.accountNumber,
      nameOnAccount: truncated(source.accountHolderName, 22),
      echeckType,
    },
  };
}

function cardOf({ number, expiryYear, expiryMonth, cvv }: CardSource): Json {
  return { cardNumber: number, expirationDate: `${expiryYear}-${expiryMonth}`, cardCode: cvv };
}

function settings(values: Readonly<Record<string, string>>): Json {
  return { setting: Object.entries(values).map(([settingName, settingValue]) => ({ settingName, settingValue })) };
}

function processingOptions({ use, initiator, purpose }: StoredCredential): Json {
  if (use === 'first') return purpose !== 'unscheduled' ? { isFirstRecurringPayment: 'true' } : { isFirstSubsequentAuth: 'true' };
  return initiator === 'customer' ? { isStoredCredentials: 'true' } : { isSubsequentAuth: 'true' };
}

function subsequentAuthInformation({ use, initiator, first, networkTransactionId }: StoredCredential): Json | undefined {
  if (use === 'first' || initiator === 'customer') return undefined;
  // The optional `reason` is omitted, because none of its four values means a recurring payment.
  if (first === undefined) return networkTransactionId === undefined ? undefined : { originalNetworkTransId: networkTransactionId };
  return { originalNetworkTransId: first.credentialReference, originalAuthAmount: formatDecimal(first.amount) };
}
