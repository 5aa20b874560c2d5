import { formatDecimal, type Money } from '#core/kernel';
import type { Channel } from '#shared/channels';
import type { ChargeRequest, ReferencedRequest, StoredCredential } from '../connector.ts';
import type { AmountParts } from '../outcome.ts';
import type { TerminalCharge, TipPrompt } from '../terminals.ts';
import type { Form } from './client.ts';

/** Value of `industry` for the card payments of a channel. Charges under an agreement have none: `initiated_by` and `billing_method` describe them. */
const INDUSTRY: Readonly<Record<Channel, string | undefined>> = {
  counter: 'retail',
  phone: 'moto',
  mail: 'moto',
  internet: 'ecommerce',
  recurring: undefined,
  installment: undefined,
  unscheduled: undefined,
  chip: 'retail',
  contactless: 'retail',
  swipe: 'retail',
};

const industryOf = (channel: Channel): string | undefined => INDUSTRY[channel];

const LINE_DESCRIPTION_MAX = 100;

/** Returns the form of a new payment. Inquiries find it by its reference. */
export function paymentForm(type: 'sale' | 'auth' | 'credit', charge: ChargeRequest, processorId: string | undefined): Form {
  const { billing, storedCredential, allowsPartialApproval } = charge;
  return {
    type,
    partial_payments: partialPayments(allowsPartialApproval),
    amount: formatDecimal(charge.amount),
    currency: charge.amount.currency,
    orderid: charge.processorRef,
    ponumber: charge.purchaseOrderNumber,
    ...partFields(charge.parts),
    ...lineFields(charge.lineItems),
    processor_id: processorId,
    ...sourceFields(charge),
    first_name: billing?.firstName,
    last_name: billing?.lastName,
    address1: billing?.address,
    city: billing?.city,
    state: billing?.state,
    zip: billing?.zip,
    country: billing?.country,
    email: charge.email,
    customer_receipt: 'false',
    ...(storedCredential === undefined || type === 'credit' ? {} : storedFields(storedCredential, charge.installment)),
  };
}

/** A capture must not carry its own reference: it would replace that of the payment, and an inquiry would no longer find it. */
export function captureForm({ original, amount, parts }: ReferencedRequest): Form {
  return { type: 'capture', transactionid: original.reference, amount: formatDecimal(amount), ...partFields(parts) };
}

/** Returns the fields of the lines of a sale, which the processor numbers from 1. */
function lineFields(lines: ChargeRequest['lineItems'] = []): Form {
  return Object.fromEntries(
    lines.flatMap(({ description, quantity, unitPrice, discountAmount, taxAmount, amount }, index) => {
      const fields = {
        description: description.slice(0, LINE_DESCRIPTION_MAX),
        quantity: String(quantity),
        unit_cost: formatDecimal(unitPrice),
        ...(discountAmount.minor > 0 && { discount_amount: formatDecimal(discountAmount) }),
        tax_amount: formatDecimal(taxAmount),
        total_amount: formatDecimal(amount),
      };
      return Object.entries(fields).map(([name, value]) => [`item_${name}_${index + 1}`, value]);
    }),
  );
}

/** A part that is approved settles like any other payment. Without the field, all or nothing is approved. */
const partialPayments = (isAllowed: boolean | undefined) => (isAllowed ? 'settle_partial' : undefined);

/** Value that ends what runs on a card reader. Other publications name it `terminate`; it was never tried on a real account. */
const CANCELLATION = 'cancellation';

/** Returns the form that starts a payment on a card reader. The response comes before the customer pays. */
export function readerForm(
  { operation, amount, processorRef, deviceId, parts, changes }: TerminalCharge,
  processorId: string | undefined,
): Form {
  const onReader = { orderid: processorRef, processor_id: processorId, poi_device_id: deviceId, response_method: 'asynchronous' };
  // The processor stores the card under our reference.
  if (operation === 'verification')
    return { type: 'validate', ...onReader, customer_vault: 'add_customer', customer_vault_id: processorRef };
  return {
    type: operation,
    amount: formatDecimal(amount),
    currency: amount.currency,
    ...onReader,
    ...partFields(parts),
    ...tipFields(changes?.tip),
    partial_payments: partialPayments(changes?.allowsPartialApproval),
  };
}

/** Numbers of suggested tips that a reader shows. */
const TIP_CHOICES = { min: 3, max: 4 } as const;

/** Returns the fields of a question for a tip. The reader knows no highest tip. */
function tipFields(tip: TipPrompt | undefined): Form {
  if (tip === undefined) return {};
  const percents = tip.percents.slice(0, TIP_CHOICES.max);
  return { poi_prompt_tip: 'true', poi_prompt_quicktip_percentages: percents.length < TIP_CHOICES.min ? undefined : percents.join(',') };
}

export const cancelForm = (deviceId: string): Form => ({ poi_device_id: deviceId, poi_request: CANCELLATION });

/** Returns the fields of the parts that an amount has. */
function partFields(parts: AmountParts | undefined): Form {
  const decimal = (part: Money | undefined) => (part === undefined || part.minor === 0 ? undefined : formatDecimal(part));
  return { tax: decimal(parts?.tax), surcharge: decimal(parts?.surcharge), tip: decimal(parts?.tip) };
}

export function voidForm({ original, paidWith }: ReferencedRequest): Form {
  return { type: 'void', transactionid: original.reference, ...bankFields(paidWith) };
}

export function refundForm({ original, amount, processorRef, paidWith }: ReferencedRequest): Form {
  return {
    type: 'refund',
    transactionid: original.reference,
    amount: formatDecimal(amount),
    orderid: processorRef,
    ...bankFields(paidWith),
  };
}

const bankFields = (paidWith: ReferencedRequest['paidWith']): Form => (paidWith?.kind === 'ach' ? { payment: 'check' } : {});

function sourceFields({ source, channel, secCode }: ChargeRequest): Form {
  if (source.kind === 'card')
    return {
      ccnumber: source.number,
      ccexp: `${source.expiryMonth}${source.expiryYear.slice(-2)}`,
      cvv: source.cvv,
      industry: industryOf(channel),
    };
  if (source.kind === 'card-at-gateway') return { customer_vault_id: source.reference, industry: industryOf(channel) };
  return {
    payment: 'check',
    checkname: source.accountHolderName,
    checkaba: source.routingNumber,
    checkaccount: source.accountNumber,
    account_holder_type: source.holder === 'company' ? 'business' : 'personal',
    account_type: source.accountType,
    sec_code: secCode,
  };
}

function storedFields({ use, initiator, purpose, first }: StoredCredential, installment: ChargeRequest['installment']): Form {
  return {
    initiated_by: initiator,
    stored_credential_indicator: use === 'first' ? 'stored' : 'used',
    initial_transaction_id: use === 'later' ? first?.credentialReference : undefined,
    billing_method: purpose === 'unscheduled' ? undefined : purpose,
    billing_number: installment && String(installment.number),
    billing_total: installment && String(installment.total),
  };
}
