import type { Work } from '#core/database';
import { type Actor, type Caller, isoTime, newId, ServiceError, timeAfter } from '#core/kernel';
import type { BankAccountInput, CardInput, TokenDetails } from '#core/records/vault';
import type { Channel } from '#shared/channels';
import type { Dependencies } from './dependencies.ts';
import { CUSTOMERS, type CustomerRow, type MethodRow, PAYMENT_METHODS } from './schema.ts';
import { updateSearchWords } from './search-words.ts';

/** A card, a bank account, or a token of an earlier stored one. */
export type MethodInput = ({ readonly card: CardInput } | { readonly bankAccount: BankAccountInput } | { readonly token: string }) & {
  /** Text that the customer agreed to; stored with the time. */
  readonly consentText?: string;
  /** Channel by which the customer agreed; by default that of the merchant's Sell screen. */
  readonly agreementChannel?: Channel;
};

/** Consent of a customer to later charges: its text, if there is one, and how it was given, if that is known. */
export interface Consent {
  readonly text: string | null;
  readonly channel: Channel | null;
}

/** Facts about an imported payment method at its earlier provider. */
export interface ImportOrigin {
  readonly externalId: string | null;
  readonly networkTransactionId: string | null;
  /** Text that the customer agreed to there, and the time; null if they are unknown. */
  readonly consentText: string | null;
  readonly consentAt: string | null;
  /** True if the customer's later payments use this method. */
  readonly isDefault: boolean;
}

/** Writes the encrypted entry of a method in the unit of work and returns its public details. */
type StoreMethod = (work: Work) => Promise<TokenDetails>;

/** Checks and seals a payment method for a customer. Returns the function that writes it. */
export async function prepareMethod(deps: Dependencies, actor: Caller, customerId: string, input: MethodInput): Promise<StoreMethod> {
  if ('token' in input) return (work) => deps.vault.assignToOwner(work, actor, input.token, customerId);
  const source = 'card' in input ? deps.vault.checkCard(actor.tenantId, input.card) : deps.vault.checkBankAccount(input.bankAccount);
  const sealed = await deps.vault.seal(actor.tenantId, source, { owner: customerId, merchantId: actor.merchantId });
  return async (work) => {
    await deps.vault.write(work, sealed);
    return deps.vault.assignToOwner(work, actor, sealed.token, customerId);
  };
}

/** Returns the last day of a card's expiry month, YYYY-MM-DD. */
function lastDayOf(month: string | null, year: string | null): string | null {
  if (month === null || year === null) return null;
  return new Date(Date.UTC(Number(year), Number(month), 0)).toISOString().slice(0, 10);
}

/**
 * Stores a card or bank account for a locked customer. The number of an existing method renews that method: expiry, token and consent are
 * replaced, unless the new expiry is earlier, and the ID stays. The first method is the default.
 */
export async function storeMethod(
  deps: Dependencies,
  work: Work,
  actor: Actor,
  customer: CustomerRow,
  details: TokenDetails,
  { text, channel }: Consent,
  origin: ImportOrigin | null = null,
): Promise<{ customer: CustomerRow; method: MethodRow; isRenewal: boolean }> {
  const now = timeAfter(deps.clockOf(customer.tenant_id).now(), customer.updated_at);
  const at = isoTime(now);
  const existing = await work.one(PAYMENT_METHODS, { customer_id: customer.id, fingerprint: details.fingerprint });
  const expires_on = lastDayOf(details.expiryMonth, details.expiryYear);
  // A shop that sends a card again may have its former expiry date; banks only extend the date.
  const isOutdated = existing?.expires_on != null && expires_on !== null && expires_on < existing.expires_on;
  const newColumns = {
    ...(isOutdated
      ? { token: existing.token, expiry_month: existing.expiry_month, expiry_year: existing.expiry_year, expires_on: existing.expires_on }
      : { token: details.token, expiry_month: details.expiryMonth, expiry_year: details.expiryYear, expires_on }),
    account_type: details.accountType,
    ...(text === null ? {} : { consent_text: text, consent_at: at, agreement_channel: channel }),
    ...(origin === null ? {} : originColumns(origin, existing)),
    updated_at: at,
  };
  const method: MethodRow = existing
    ? { ...existing, ...newColumns }
    : {
        tenant_id: customer.tenant_id,
        id: newId('pm', now),
        customer_id: customer.id,
        merchant_id: customer.merchant_id,
        kind: details.kind,
        fingerprint: details.fingerprint,
        brand: details.brand,
        last4: details.last4,
        gateway_id: details.gatewayId,
        consent_text: null,
        consent_at: null,
        agreement_channel: channel,
        external_id: null,
        network_transaction_id: null,
        created_at: at,
        ...newColumns,
      };
  if (existing) await work.update(PAYMENT_METHODS, { id: existing.id }, newColumns);
  else work.insert(PAYMENT_METHODS, method);
  const isDefault = customer.default_method_id === null || customer.default_method_id === method.id;
  const next = { ...customer, default_method_id: isDefault ? method.id : customer.default_method_id, updated_at: at };
  await work.update(CUSTOMERS, { id: customer.id }, { default_method_id: next.default_method_id, updated_at: at });
  if (!existing) await updateSearchWords(work, next, await work.find(PAYMENT_METHODS, { customer_id: customer.id }));
  await deps.events.publish(work, 'payment-method.changed', {
    tenantId: customer.tenant_id,
    customerId: customer.id,
    paymentMethodId: method.id,
    isDefault,
    actor,
  });
  return { customer: next, method, isRenewal: existing !== null };
}

/** Returns the columns of an imported method. Identifiers and consent that are stored already stay. */
function originColumns(origin: ImportOrigin, existing: MethodRow | null) {
  return {
    external_id: existing?.external_id ?? origin.externalId,
    network_transaction_id: existing?.network_transaction_id ?? origin.networkTransactionId,
    consent_text: existing?.consent_text ?? origin.consentText,
    consent_at: existing?.consent_at ?? origin.consentAt,
  };
}

/** Returns the fields of a payment method that the audit log keeps. */
export function auditMethod({ kind, brand, last4, expiry_month, expiry_year, consent_at }: MethodRow) {
  return { type: kind, brand, last4, expires: expiry_month === null ? null : `${expiry_month}/${expiry_year}`, consentAt: consent_at };
}

/** Removes a payment method of a locked customer with every vault entry of its number. If it was the default, the newest other method becomes the default. */
export async function removeMethod(deps: Dependencies, work: Work, actor: Actor, customer: CustomerRow, methodId: string): Promise<void> {
  const method = await methodOf(work, customer.id, methodId);
  await work.delete(PAYMENT_METHODS, { id: methodId });
  // All of them, because entries from before a renewal and from payments could still be charged.
  await deps.vault.destroy(work, customer.id, method.fingerprint);
  const remaining = await work.find(PAYMENT_METHODS, { customer_id: customer.id }, { orderBy: [['id', 'desc']] });
  const defaultId = customer.default_method_id === methodId ? (remaining[0]?.id ?? null) : customer.default_method_id;
  const now = timeAfter(deps.clockOf(actor.tenantId).now(), customer.updated_at);
  await work.update(CUSTOMERS, { id: customer.id }, { default_method_id: defaultId, updated_at: isoTime(now) });
  await updateSearchWords(work, customer, remaining);
  await deps.events.publish(work, 'payment-method.removed', { customerId: customer.id, paymentMethodId: methodId });
  if (defaultId !== null && defaultId !== customer.default_method_id) {
    const { tenantId } = actor;
    await deps.events.publish(work, 'payment-method.changed', {
      tenantId,
      customerId: customer.id,
      paymentMethodId: defaultId,
      isDefault: true,
      actor,
    });
  }
  deps.audit(work, {
    actor,
    action: 'payment_method.removed',
    resource: `customers/${customer.id}/payment-methods/${methodId}`,
    merchantId: customer.merchant_id,
    before: auditMethod(method),
  });
}

/** Returns a payment method of a customer. @throws ServiceError NOT_FOUND */
export async function methodOf(read: Pick<Work, 'one'>, customerId: string, methodId: string): Promise<MethodRow> {
  const row = await read.one(PAYMENT_METHODS, { id: methodId, customer_id: customerId });
  if (row) return row;
  throw new ServiceError('NOT_FOUND', `This customer has no payment method ${methodId.slice(0, 60)}.`, {
    details: { paymentMethodId: methodId },
  });
}
