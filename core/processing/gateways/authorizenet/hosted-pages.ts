import { type Currency, formatDecimal, money } from '#core/kernel';
import { brandOf } from '../card-brands.ts';
import type {
  HostedPageConnector,
  HostedPageCreation,
  HostedPageInquiry,
  HostedPageStatus,
  HostedPayment,
  NewHostedPage,
} from '../hosted-pages.ts';
import type { GatewayAccount } from '../processor.ts';
import { authCodeOf, type Client, type Json, messageOf, objectOf, referenceOf, textOf } from './client.ts';
import { transactionIdsOf } from './inquire.ts';
import { detailsOf } from './lists.ts';
import { avsOf, cvvOf, meaningOfMessage, SETTLED_STATES, transactionStateOf } from './mapping.ts';
import { minorOf } from './money.ts';

const PAGE_ORIGINS = { test: 'https://test.authorize.net', live: 'https://accept.authorize.net' } as const;
const PAGE_PATH = '/payment/payment';
/** Documented lifetime of a token. The form must be shown within it. */
const TOKEN_LIFETIME_MS = 15 * 60_000;
const DESCRIPTION_MAX = 255;
/** Tokens are long and opaque. This is a bound for a field of a form, not their length. */
const TOKEN_MAX = 8_192;

/** Payment form of the processor (Accept Hosted), which a browser opens by posting a token. It cannot be closed, and has no address. */
export function hostedPages(client: Client, { currency, mode, origin }: GatewayAccount): HostedPageConnector {
  const url = `${origin ?? PAGE_ORIGINS[mode]}${PAGE_PATH}`;
  return {
    delivery: 'form',
    opensWithinMs: TOKEN_LIFETIME_MS,
    create: (page) => create(client, page, url),
    find: (inquiry) => find(client, inquiry, currency),
  };
}

async function create(client: Client, page: NewHostedPage, url: string): Promise<HostedPageCreation> {
  const response = await client.send('getHostedPaymentPageRequest', pageRequest(page), page.processorRef);
  if (response.kind === 'not-sent') return { kind: 'not-sent', reason: response.reason, retry: 'unavailable' };
  if (response.kind === 'lost') return { kind: 'unknown', cause: response.reason };
  const { isOk, code, text } = messageOf(response.body);
  const token = textOf(response.body.token);
  if (isOk && token !== undefined && token.length <= TOKEN_MAX)
    return { kind: 'created', reference: null, address: { url, fields: { token } } };
  if (isOk) return { kind: 'unknown', cause: 'The processor returned no token.' };
  const meaning = meaningOfMessage(code);
  // A token that was lost cannot be used, so a refusal that may hide one has no effect either.
  const retry = meaning === undefined || meaning.kind === 'unknown' ? 'unavailable' : 'error';
  return {
    kind: 'not-sent',
    reason: client.clean(text) || 'The processor refused the request.',
    retry,
    ...(meaning?.kind === 'set-up' && { alert: 'set-up' }),
  };
}

// The members are in the order of the schema of the processor.
function pageRequest({ processorRef, amount, tax, description, companyName, payer }: NewHostedPage): Json {
  return {
    transactionRequest: {
      transactionType: 'authCaptureTransaction',
      amount: formatDecimal(amount),
      currencyCode: amount.currency,
      order: { invoiceNumber: processorRef, description: description.slice(0, DESCRIPTION_MAX) },
      tax: tax.minor === 0 ? undefined : { amount: formatDecimal(tax), name: 'Sales tax' },
      customer: payer.email === null ? undefined : { email: payer.email },
    },
    hostedPaymentSettings: {
      setting: Object.entries({
        // Without an address to return to, the processor shows its own receipt.
        hostedPaymentReturnOptions: { showReceipt: true },
        hostedPaymentPaymentOptions: { cardCodeRequired: true, showCreditCard: true, showBankAccount: false },
        hostedPaymentOrderOptions: { show: true, merchantName: companyName },
        hostedPaymentCustomerOptions: { showEmail: false, requiredEmail: false, addPaymentProfile: false },
      }).map(([settingName, value]) => ({ settingName, settingValue: JSON.stringify(value) })),
    },
  };
}

async function find(client: Client, { processorRef, at }: HostedPageInquiry, currency: Currency): Promise<HostedPageStatus> {
  const ids = await transactionIdsOf(client, processorRef, Date.parse(at));
  if ('kind' in ids) return ids;
  const payments: HostedPayment[] = [];
  let isHeld = false;
  for (const id of ids) {
    const details = await detailsOf(client, id);
    if ('kind' in details) return details;
    const state = transactionStateOf(textOf(details.transaction.transactionStatus));
    isHeld ||= state === 'held';
    if (state === 'captured' || state === 'authorized' || SETTLED_STATES.has(state)) {
      const payment = paymentOf(details.transaction, currency);
      if (payment === null)
        return { kind: 'unknown', cause: 'The processor shows a payment without its amount.', alert: 'processor-at-a-loss' };
      payments.push(payment);
    } else if (state === undefined || state === 'lost' || state === 'not-voided')
      return { kind: 'unknown', cause: 'The processor cannot determine the outcome of a payment.', alert: 'processor-at-a-loss' };
  }
  const [first, ...others] = payments;
  if (first !== undefined) return { kind: 'paid', payments: [first, ...others] };
  return isHeld ? { kind: 'pending', reason: 'held_for_review' } : { kind: 'unpaid' };
}

function paymentOf(transaction: Json, currency: Currency): HostedPayment | null {
  const reference = referenceOf(transaction.transId);
  const minor = minorOf(transaction.authAmount, currency) ?? minorOf(transaction.settleAmount, currency);
  if (reference === undefined || minor === undefined) return null;
  const card = objectOf(objectOf(transaction.payment)?.creditCard);
  return {
    reference,
    amount: money(minor, currency),
    authCode: authCodeOf(transaction.authCode),
    avsResponse: avsOf(textOf(transaction.AVSResponse)),
    cvvResponse: cvvOf(textOf(transaction.cardCodeResponse)),
    card: { brand: brandOf(textOf(card?.cardType) ?? '', ''), last4: (textOf(card?.cardNumber) ?? '').slice(-4) },
  };
}
