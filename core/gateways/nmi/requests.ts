import { formatDecimal } from '#core/kernel';
import type { Source } from '#core/vault';
import type { ChargeRequest, ReferencedRequest, StoredCredential } from '../connector.ts';
import type { Form } from './client.ts';

/** A new payment; its reference is what inquiry finds it by. */
export function paymentForm(type: 'sale' | 'auth' | 'credit', order: ChargeRequest, processorId: string | undefined): Form {
  const { source, billing, storedCredential } = order;
  return {
    type,
    amount: formatDecimal(order.amount),
    currency: order.amount.currency,
    orderid: order.processorRef,
    processor_id: processorId,
    ...sourceFields(source),
    first_name: billing?.firstName,
    last_name: billing?.lastName,
    address1: billing?.address,
    city: billing?.city,
    state: billing?.state,
    zip: billing?.zip,
    country: billing?.country,
    email: order.email,
    customer_receipt: 'false',
    ...(storedCredential === undefined || type === 'credit' ? {} : storedFields(storedCredential)),
  };
}

/** A capture must not carry its own reference: it would replace that of the payment, and an inquiry would no longer find it. */
export function captureForm({ original, amount }: ReferencedRequest): Form {
  return { type: 'capture', transactionid: original.reference, amount: formatDecimal(amount) };
}

export function voidForm({ original, paidWith }: ReferencedRequest): Form {
  return { type: 'void', transactionid: original.reference, ...bankMark(paidWith) };
}

export function refundForm({ original, amount, processorRef, paidWith }: ReferencedRequest): Form {
  return {
    type: 'refund',
    transactionid: original.reference,
    amount: formatDecimal(amount),
    orderid: processorRef,
    ...bankMark(paidWith),
  };
}

const bankMark = (paidWith: ReferencedRequest['paidWith']): Form => (paidWith?.kind === 'ach' ? { payment: 'check' } : {});

function sourceFields(source: Source): Form {
  if (source.kind === 'card')
    return { ccnumber: source.number, ccexp: `${source.expiryMonth}${source.expiryYear.slice(-2)}`, cvv: source.cvv };
  return {
    payment: 'check',
    checkname: source.accountHolderName,
    checkaba: source.routingNumber,
    checkaccount: source.accountNumber,
    account_holder_type: 'personal',
    account_type: source.accountType,
    // Agreed to by telephone, as a terminal's are.
    sec_code: 'TEL',
  };
}

function storedFields({ use, by, purpose, first }: StoredCredential): Form {
  return {
    initiated_by: by,
    stored_credential_indicator: use === 'first' ? 'stored' : 'used',
    initial_transaction_id: use === 'later' ? first?.chainReference : undefined,
    billing_method: purpose === 'recurring' ? 'recurring' : undefined,
  };
}
