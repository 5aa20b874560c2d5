import { type Currency, formatDecimal } from '#core/kernel';
import { brandOf } from '../card-brands.ts';
import { amountOf } from '../decimal-amount.ts';
import type {
  HostedPageConnector,
  HostedPageCreation,
  HostedPageInquiry,
  HostedPageStatus,
  HostedPayment,
  NewHostedPage,
} from '../hosted-pages.ts';
import { authCodeFrom, meaningOf, referenceFrom } from './answers.ts';
import type { Client } from './client.ts';
import { actionsOf, isDone, typeOf } from './inquire.ts';
import { avsOf, cvvOf, TRANSACTION_STATES } from './mapping.ts';
import { childrenOf, type Element, textOf } from './xml.ts';

const INVOICE_ID = /^[\w-]{1,64}$/;
const DESCRIPTION_MAX = 255;
const NAME_MAX = 50;

/**
 * Invoices of the processor (Electronic Invoicing). It emails the payer a link to a page of its own, and returns the ID of its invoice but not the address.
 * A payment on the page has the order ID of the invoice.
 */
export function hostedPages(client: Client, currency: Currency): HostedPageConnector {
  return {
    delivery: 'email',
    opensWithinMs: null,
    create: (page) => create(client, page),
    find: (inquiry) => find(client, inquiry, currency),
    async close({ reference }) {
      if (reference === null) return false;
      const response = await client.pay({ invoicing: 'close_invoice', invoice_id: reference });
      return response.kind === 'answer' && response.answer.get('response') === '1';
    },
  };
}

async function create(client: Client, { processorRef, amount, tax, description, payer }: NewHostedPage): Promise<HostedPageCreation> {
  const words = (payer.name ?? '').trim().split(/\s+/);
  const response = await client.pay({
    invoicing: 'add_invoice',
    amount: formatDecimal(amount),
    currency: amount.currency,
    email: payer.email ?? undefined,
    payment_terms: 'upon_receipt',
    payment_methods_allowed: 'cc',
    processor_id: client.processorId,
    orderid: processorRef,
    order_description: description.slice(0, DESCRIPTION_MAX),
    tax: tax.minor === 0 ? undefined : formatDecimal(tax),
    first_name: words.slice(0, -1).join(' ').slice(0, NAME_MAX),
    // The processor is said to require a name.
    last_name: (words.at(-1) || 'Customer').slice(0, NAME_MAX),
  });
  if (response.kind === 'not-sent') return { kind: 'not-sent', reason: response.reason, retry: 'unavailable' };
  if (response.kind === 'lost') return { kind: 'unknown', cause: response.reason };
  const reference = response.answer.get('invoice_id') ?? '';
  if (response.answer.get('response') === '1')
    return INVOICE_ID.test(reference)
      ? { kind: 'created', reference, address: null }
      : { kind: 'unknown', cause: 'The processor returned no ID of its invoice.' };
  const text = client.clean(response.answer.get('responsetext') ?? '');
  const meaning = meaningOf(response.answer.get('response_code') ?? '', text);
  const reason = text || 'The processor refused the request.';
  if (meaning.kind === 'set-up') return { kind: 'not-sent', reason, retry: 'error', alert: 'set-up' };
  return { kind: 'not-sent', reason, retry: meaning.kind === 'busy' ? 'unavailable' : 'error' };
}

async function find(client: Client, { processorRef }: HostedPageInquiry, currency: Currency): Promise<HostedPageStatus> {
  const response = await client.query({ order_id: processorRef });
  if (response.kind !== 'answer') return { kind: 'unknown', cause: response.reason };
  const payments: HostedPayment[] = [];
  let isOpen = false;
  for (const transaction of childrenOf(response.root, 'transaction')) {
    if (textOf(transaction, 'order_id') !== processorRef)
      return { kind: 'unknown', cause: 'The processor responded with another payment.' };
    const state = TRANSACTION_STATES[textOf(transaction, 'condition') ?? ''];
    if (state === undefined)
      return { kind: 'unknown', cause: 'The processor cannot determine the outcome of a payment.', alert: 'processor-at-a-loss' };
    isOpen ||= state === 'open';
    if (state !== 'captured' && state !== 'authorized') continue;
    const payment = paymentOf(transaction, currency);
    if (payment === null)
      return { kind: 'unknown', cause: 'A payment of the page has another currency, or no amount.', alert: 'other-amount' };
    payments.push(payment);
  }
  const [first, ...others] = payments;
  if (first !== undefined) return { kind: 'paid', payments: [first, ...others] };
  return isOpen ? { kind: 'pending', reason: 'in_progress' } : { kind: 'unpaid' };
}

function paymentOf(transaction: Element, currency: Currency): HostedPayment | null {
  const sale = actionsOf(transaction).find((action) => typeOf(action) === 'sale' && isDone(action));
  const reference = referenceFrom(textOf(transaction, 'transaction_id'));
  const amount = amountOf(textOf(sale, 'amount'), currency);
  const paidIn = textOf(transaction, 'currency') ?? currency;
  if (reference === undefined || amount === undefined || paidIn !== currency) return null;
  const number = textOf(transaction, 'cc_number') ?? '';
  return {
    reference,
    amount,
    authCode: authCodeFrom(textOf(transaction, 'authorization_code')),
    avsResponse: avsOf(textOf(transaction, 'avs_response')),
    cvvResponse: cvvOf(textOf(transaction, 'csc_response')),
    card: { brand: brandOf(textOf(transaction, 'cc_type') ?? '', number), last4: number.slice(-4) },
  };
}
