import type { Work } from '#core/database';
import { ServiceError } from '#core/kernel';
import { actorOf, confirmedLink, type FoundLink, openLink, type PageOrigin, sessionTime, type Visitor } from './access.ts';
import type { Dependencies } from './dependencies.ts';
import { isNeeded, methodUseOf } from './method-use.ts';
import { isSkippable, payerOf } from './page.ts';

const originOf = ({ ip, requestId, userAgent }: Visitor): PageOrigin => ({ ip, requestId, ...(userAgent !== undefined && { userAgent }) });

const notAllowed = () =>
  new ServiceError('RESOURCE_CONFLICT', 'The merchant does not offer this on the page.', { details: { reason: 'not_offered' } });

/** Returns a subscription of the customer. @throws ServiceError NOT_FOUND for one of another customer. */
async function subscriptionOf(deps: Dependencies, { link }: FoundLink, subscriptionId: string) {
  const found = await deps.recurring.get(actorOf(link), subscriptionId);
  if (found.customerId !== link.customer_id) throw new ServiceError('NOT_FOUND', 'There is no such subscription.');
  return found;
}

/** Cancels a subscription of the customer, if the merchant allows it. */
export async function cancelSubscription(deps: Dependencies, visitor: Visitor, subscriptionId: string): Promise<void> {
  const found = await confirmedLink(deps, visitor.token, visitor.session);
  await subscriptionOf(deps, found, subscriptionId);
  if (!found.merchant.customerPage.allowsCancel) throw notAllowed();
  await deps.recurring.cancel(actorOf(found.link, originOf(visitor)), subscriptionId, 'customer');
}

/** Skips the next payment of a subscription, if the merchant allows it. Two submissions with the same date skip one payment. */
export async function skipPayment(deps: Dependencies, visitor: Visitor, subscriptionId: string, date: string): Promise<void> {
  const found = await confirmedLink(deps, visitor.token, visitor.session);
  const subscription = await subscriptionOf(deps, found, subscriptionId);
  if (!found.merchant.customerPage.allowsSkip || !isSkippable(subscription)) throw notAllowed();
  await deps.recurring.skipNext(actorOf(found.link, originOf(visitor)), subscriptionId, date);
}

/** Removes a card or bank account of the customer. @throws ServiceError RESOURCE_CONFLICT with the reason `in_use`. */
export async function removeMethod(deps: Dependencies, visitor: Visitor, paymentMethodId: string): Promise<void> {
  const { link } = await confirmedLink(deps, visitor.token, visitor.session);
  const actor = actorOf(link, originOf(visitor));
  await deps.customers.removeMethod(actor, link.customer_id, paymentMethodId, async (work, methodCount) => {
    await sessionTime(work, link, visitor.session);
    if (isNeeded(await methodUseOf(deps, work, link.customer_id), paymentMethodId, methodCount))
      throw new ServiceError('RESOURCE_CONFLICT', 'A subscription, a plan or a waiting payment is charged to it. Replace it instead.', {
        details: { reason: 'in_use' },
      });
  });
}

/** Returns the path of the page on which the customer replaces a card, or enters the first one, until the session ends. */
export async function replaceCard(deps: Dependencies, visitor: Visitor, paymentMethodId: string | undefined): Promise<string> {
  const { link } = await confirmedLink(deps, visitor.token, visitor.session);
  const subject = {
    customerId: link.customer_id,
    ...(paymentMethodId !== undefined && { methodId: paymentMethodId }),
    session: async (work: Work) => ({ pageLinkId: link.id, remainingMs: await sessionTime(work, link, visitor.session) }),
  };
  const { url } = await deps.customers.createUpdateLink(actorOf(link, originOf(visitor)), subject);
  return new URL(url).pathname;
}

/** Payment of invoices on the page. */
export type PagePayInput = Omit<Parameters<Dependencies['invoicing']['payTogether']>[1], 'method'> & {
  readonly method: PaymentMethod | { readonly kind: 'stored'; readonly paymentMethodId: string };
};
type PaymentMethod = Exclude<Parameters<Dependencies['invoicing']['payTogether']>[1]['method'], { readonly kind: 'token' }>;

/** Pays invoices of the customer. A card or bank account that is entered needs the link only; one on file needs a code. Returns the ID of the group. */
export async function pay(deps: Dependencies, visitor: Visitor, { method, ...input }: PagePayInput): Promise<string> {
  const { link } =
    method.kind === 'stored' ? await confirmedLink(deps, visitor.token, visitor.session) : await openLink(deps, visitor.token);
  const payer = payerOf(link);
  const origin = { ...originOf(visitor), deviceId: visitor.deviceId };
  if (method.kind !== 'stored') return deps.invoicing.payTogether(payer, { ...input, method }, origin);
  const { method: stored } = await deps.customers.payer(actorOf(link), link.customer_id, method.paymentMethodId);
  if (stored === null) throw new ServiceError('NOT_FOUND', 'There is no such card.');
  return deps.invoicing.payTogether(payer, { ...input, method: { kind: 'token', token: stored.token } }, origin);
}

/** Keeps a visit of the page on which invoices of the customer are paid, as evidence of their payments. */
export async function visited(deps: Dependencies, { token, language: _, ...from }: Visitor, invoiceIds: readonly string[]): Promise<void> {
  const { link } = await openLink(deps, token);
  for (const invoiceId of invoiceIds) await deps.invoicing.visited(link.tenant_id, invoiceId, from);
}

/** Returns the receipt of a payment of the customer as a PDF. @throws ServiceError NOT_FOUND for a payment of another customer. */
export async function receipt(
  deps: Dependencies,
  { token, language }: Pick<Visitor, 'token' | 'language'>,
  paymentId: string,
): Promise<Buffer> {
  const { link } = await openLink(deps, token);
  const isTender = paymentId.startsWith('tnd_');
  const { customerId, status } = isTender
    ? await deps.tenders.get(actorOf(link), paymentId)
    : await deps.payments.get(actorOf(link), paymentId);
  if (customerId !== link.customer_id || (isTender ? status === 'returned' : status !== 'approved'))
    throw new ServiceError('NOT_FOUND', 'There is no such receipt.');
  return (await deps.receipts.pdfOf(link.tenant_id, paymentId, language)).content;
}
