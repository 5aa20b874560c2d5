import { formatDecimal } from '#core/kernel';
import type { CardSource, Source } from '#core/vault';
import type { ChargeRequest, ReferencedRequest, StoredCredential } from '../connector.ts';

// The processor turns JSON into XML and wants the members in the order of its schema: here they stand in it.

type Json = Readonly<Record<string, unknown>>;

const DUPLICATE_WINDOW_SECONDS = 28_800;
const MARKET_MOTO = '1';
const DEVICE_VIRTUAL_TERMINAL = '10';
/** A debit agreed to by telephone, as a terminal's are; money may go out as PPD or CCD only. */
const TAKES_IN = 'TEL';
const PAYS_OUT = 'PPD';

/** Leaves out what is not there, and cuts what is to the processor's length. */
const cut = (text: string | undefined, length: number): string | undefined =>
  text === undefined || text.trim() === '' ? undefined : text.trim().slice(0, length);

/** A new payment. */
export function paymentRequest(transactionType: string, order: ChargeRequest): Json {
  const { source, billing, storedCredential } = order;
  return {
    transactionType,
    amount: formatDecimal(order.amount),
    currencyCode: order.amount.currency,
    payment: paymentOf(source, transactionType === 'refundTransaction' ? PAYS_OUT : TAKES_IN),
    order: { invoiceNumber: order.processorRef },
    customer: order.email === undefined ? undefined : { email: cut(order.email, 255) },
    billTo: billing && {
      firstName: cut(billing.firstName, 50),
      lastName: cut(billing.lastName, 50),
      address: cut(billing.address, 60),
      city: cut(billing.city, 40),
      state: cut(billing.state, 40),
      zip: cut(billing.zip, 20),
      country: cut(billing.country, 60),
    },
    retail: source.kind === 'card' ? { marketType: MARKET_MOTO, deviceType: DEVICE_VIRTUAL_TERMINAL } : undefined,
    transactionSettings: settings({
      duplicateWindow: String(DUPLICATE_WINDOW_SECONDS),
      allowPartialAuth: 'false',
      emailCustomer: 'false',
      ...(storedCredential?.purpose === 'recurring' ? { recurringBilling: 'true' } : {}),
    }),
    processingOptions: storedCredential && processingOptions(storedCredential),
    subsequentAuthInformation: storedCredential && subsequentAuthInformation(storedCredential),
  };
}

export function captureRequest(question: ReferencedRequest): Json {
  return {
    transactionType: 'priorAuthCaptureTransaction',
    amount: formatDecimal(question.amount),
    // Without a reference of its own: the payment keeps that of the authorization, by which it is found and settled.
    refTransId: question.original.reference,
  };
}

export function voidRequest(question: ReferencedRequest): Json {
  return { transactionType: 'voidTransaction', refTransId: question.original.reference };
}

/** A refund names the payment and what it was made with: of a card its last four alone. */
export function refundRequest(question: ReferencedRequest, paidWith: NonNullable<ReferencedRequest['paidWith']>): Json {
  const payment =
    paidWith.kind === 'ach' ? paymentOf(paidWith, PAYS_OUT) : { creditCard: { cardNumber: paidWith.last4, expirationDate: 'XXXX' } };
  return {
    transactionType: 'refundTransaction',
    amount: formatDecimal(question.amount),
    currencyCode: question.amount.currency,
    payment,
    refTransId: question.original.reference,
    order: { invoiceNumber: question.processorRef },
    transactionSettings: settings({ duplicateWindow: String(DUPLICATE_WINDOW_SECONDS), emailCustomer: 'false' }),
  };
}

function paymentOf(source: Source, echeckType: string): Json {
  if (source.kind === 'card') return { creditCard: cardOf(source) };
  return {
    bankAccount: {
      accountType: source.accountType,
      routingNumber: source.routingNumber,
      accountNumber: source.accountNumber,
      nameOnAccount: cut(source.accountHolderName, 22),
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

function processingOptions({ use, by, purpose }: StoredCredential): Json {
  if (use === 'first') return purpose === 'recurring' ? { isFirstRecurringPayment: 'true' } : { isFirstSubsequentAuth: 'true' };
  return by === 'customer' ? { isStoredCredentials: 'true' } : { isSubsequentAuth: 'true' };
}

function subsequentAuthInformation({ use, by, first }: StoredCredential): Json | undefined {
  if (use === 'first' || by === 'customer' || first === undefined) return undefined;
  // Its `reason` may be left out, and none of the four that it can have is that of a renewal.
  return { originalNetworkTransId: first.chainReference, originalAuthAmount: formatDecimal(first.amount) };
}
