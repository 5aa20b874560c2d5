import { type Actor, step } from '#core/kernel';
import type { UpdateLink, UpdateLinkRecipients } from '#core/sales/customers';
import type { Dependencies } from './dependencies.ts';
import { findSubscription, payerOf } from './read.ts';
import { SUBSCRIPTION_STEPS } from './steps.ts';

/**
 * Creates a link to the page on which the customer replaces the payment method that the subscription charges. @throws ServiceError
 * ALREADY_CANCELLED, SUBSCRIPTION_INACTIVE if it has ended.
 */
export async function createUpdateLink(
  deps: Dependencies,
  actor: Actor,
  id: string,
  recipients: UpdateLinkRecipients,
): Promise<UpdateLink> {
  const { row } = await findSubscription(deps, actor, id);
  step(SUBSCRIPTION_STEPS, row.status, 'update', { status: row.status });
  const { method } = await payerOf(deps, row);
  const subject = { customerId: row.customer_id, methodId: method?.paymentMethodId ?? null, subscriptionId: row.id };
  return deps.customers.createUpdateLink(actor, subject, recipients);
}
