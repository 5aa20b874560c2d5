import type { Work } from '#core/database';
import { type Actor, isoTime, ServiceError, serviceActor, timeAfter } from '#core/kernel';
import type { Merchant } from '#core/processing/merchants';
import type { CardInput } from '#core/records/vault';
import type { Dependencies } from '../dependencies.ts';
import { emitMethodUpdated } from '../method-events.ts';
import { auditMethod, prepareMethod, storeMethod } from '../methods.ts';
import { customerNotFound } from '../read.ts';
import { CUSTOMERS, type CustomerRow, type MethodRow, PAYMENT_METHODS, UPDATE_LINKS, type UpdateLinkRow } from '../schema.ts';
import { linkIdOf } from './address.ts';

/** `open` accepts a card; `used`: a card was saved; `closed`: the payment method, the customer or the merchant no longer exists. */
type PageState = 'open' | 'used' | 'expired' | 'closed';

/** Data of the page on which a customer replaces a card. It contains nothing about the customer, its payments or amounts. */
export interface CardUpdatePage {
  readonly tenantId: string;
  readonly customerId: string;
  readonly merchant: Merchant;
  readonly isSandbox: boolean;
  readonly state: PageState;
  /** Payment method to replace; null if there is none, or unless the page is open. */
  readonly method: { readonly type: 'card' | 'ach'; readonly brand: string | null; readonly last4: string } | null;
}

/** Origin of a card that was entered on the page. */
export interface CardUpdateOrigin {
  readonly ip: string | null;
  readonly requestId: string;
  readonly userAgent?: string;
}

interface Found {
  readonly link: UpdateLinkRow;
  readonly merchant: Merchant;
  readonly method: MethodRow | null;
  readonly state: PageState;
}

/** Returns the data of the page with a token. @throws ServiceError NOT_FOUND if the signature is wrong or the link is unknown. */
export async function openUpdatePage(deps: Dependencies, token: string): Promise<CardUpdatePage> {
  const { link, merchant, method, state } = await find(deps, token);
  return {
    tenantId: link.tenant_id,
    customerId: link.customer_id,
    merchant,
    isSandbox: deps.environmentOf(link.tenant_id) === 'sandbox',
    state,
    method: state === 'open' && method !== null ? { type: method.kind, brand: method.brand, last4: method.last4 } : null,
  };
}

async function find(deps: Dependencies, token: string): Promise<Found> {
  const id = linkIdOf(deps.updateLinkKey, token);
  const link = id === null ? null : await deps.database.readAcrossTenants().one(UPDATE_LINKS, { id });
  if (!link) throw new ServiceError('NOT_FOUND', 'There is no such link.');
  const { tenant_id: tenantId } = link;
  const read = deps.database.read(tenantId);
  const [merchant, customer, method] = await Promise.all([
    deps.merchants.merchantFor({ tenantId, merchantId: null }, link.merchant_id),
    read.one(CUSTOMERS, { id: link.customer_id }),
    link.payment_method_id === null ? null : read.one(PAYMENT_METHODS, { id: link.payment_method_id }),
  ]);
  return { link, merchant, method, state: stateOf(deps, link, merchant, customer, method) };
}

function stateOf(
  deps: Dependencies,
  link: UpdateLinkRow,
  merchant: Merchant,
  customer: CustomerRow | null,
  method: MethodRow | null,
): PageState {
  if (link.used_at !== null) return 'used';
  if (merchant.deletedAt !== null || !customer || customer.deleted_at !== null) return 'closed';
  if (link.payment_method_id !== null && method === null) return 'closed';
  return link.expires_ms <= deps.clockOf(link.tenant_id).now() ? 'expired' : 'open';
}

/**
 * Saves a card with the customer's consent and replaces the payment method of the link: as the default, in payments that are charged later, and in
 * subscriptions and installment plans, of which past due ones are retried. The link is used up in the same unit of work, under the customer's lock, so
 * parallel submissions save one card. The replaced card stays on file, because a link must not be able to delete data. @throws ServiceError
 * RESOURCE_CONFLICT unless the link is open, and the codes of a card.
 */
export async function saveOnUpdatePage(
  deps: Dependencies,
  token: string,
  { card, consentText }: { readonly card: CardInput; readonly consentText: string },
  origin: CardUpdateOrigin,
): Promise<void> {
  const { link: found, state } = await find(deps, token);
  if (state !== 'open') throw notOpen(state);
  const { tenant_id: tenantId, customer_id: customerId } = found;
  const actor: Actor = { ...serviceActor(tenantId), credentialId: 'page', name: 'payer', ...origin };
  const store = await prepareMethod(deps, { tenantId, merchantId: null }, customerId, { card });
  await deps.database.unitOfWork.transaction(tenantId, async (work) => {
    const before = await work.lockOne(CUSTOMERS, { id: customerId });
    if (!before || before.deleted_at !== null) throw customerNotFound(customerId);
    const link = await work.one(UPDATE_LINKS, { id: found.id });
    if (link?.used_at !== null) throw notOpen('used');
    if (link.expires_ms <= deps.clockOf(tenantId).now()) throw notOpen('expired');
    await useUp(deps, work, link, before);
    const { customer, method } = await storeMethod(deps, work, actor, before, await store(work), {
      text: consentText,
      channel: 'internet',
    });
    await replace(deps, work, customer, link.payment_method_id, method);
    deps.audit(work, {
      actor,
      action: 'payment_method.replaced',
      resource: `customers/${customerId}/payment-methods/${method.id}`,
      merchantId: customer.merchant_id,
      before: { paymentMethodId: link.payment_method_id },
      after: { ...auditMethod(method), linkId: link.id },
    });
    emitMethodUpdated(deps, work, customer, method, link.payment_method_id, 'customer');
    work.afterCommit(() => deps.changed(tenantId, 'customers', customer.merchant_id));
  });
}

/** Ends every open link of the same payment method, so that an older message cannot replace the new card. */
async function useUp(deps: Dependencies, work: Work, link: UpdateLinkRow, customer: CustomerRow): Promise<void> {
  const used_at = isoTime(timeAfter(deps.clockOf(link.tenant_id).now(), customer.updated_at));
  const same = { customer_id: link.customer_id, payment_method_id: link.payment_method_id, used_at: null };
  await work.update(UPDATE_LINKS, same, { used_at });
}

/** Puts a stored method in the place of another one. */
async function replace(
  deps: Dependencies,
  work: Work,
  customer: CustomerRow,
  replacedId: string | null,
  { id: methodId, kind, brand, last4 }: MethodRow,
): Promise<void> {
  if (replacedId === methodId) return;
  const { tenant_id: tenantId, id: customerId } = customer;
  if (replacedId !== null)
    await deps.events.publish(work, 'payment-method.replaced', {
      tenantId,
      customerId,
      replacedId,
      paymentMethodId: methodId,
      kind,
      brand,
      last4,
    });
  if (customer.default_method_id === methodId || (replacedId !== null && customer.default_method_id !== replacedId)) return;
  await work.update(CUSTOMERS, { id: customerId }, { default_method_id: methodId });
  await deps.events.publish(work, 'payment-method.changed', {
    tenantId,
    customerId,
    paymentMethodId: methodId,
    isDefault: true,
    actor: null,
  });
}

function notOpen(state: PageState): ServiceError {
  return new ServiceError('RESOURCE_CONFLICT', 'This link is no longer valid.', { details: { reason: state } });
}
