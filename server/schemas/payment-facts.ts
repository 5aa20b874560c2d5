import type { Core } from '#core';
import type { Page } from '#core/database';
import type { Actor } from '#core/kernel';
import { nullable } from '#core/platform/fields';
import { PaymentFacts } from '#core/sales/payments';

export const PaymentFactsOut = nullable(
  PaymentFacts,
  'Facts by which a person recognizes the payment; null without the permission `transactions:read`',
);

/** Adds the facts of its payment to each line of a page: null if the caller may not read transactions, or if the line has no payment. */
export async function withPayments<Line extends { readonly transactionId: string | null }>(core: Core, actor: Actor, page: Page<Line>) {
  const ids = page.items.flatMap(({ transactionId }) => transactionId ?? []);
  const facts = await core.payments.facts(actor, ids);
  const orderNumbers = await core.orders.numbersOf(
    actor.tenantId,
    [...facts.values()].map(({ orderId }) => orderId),
  );
  const factsOf = (transactionId: string | null): PaymentFacts | null => {
    const payment = facts.get(transactionId ?? '');
    return payment === undefined ? null : { ...payment, orderNumber: orderNumbers.get(payment.orderId ?? '') ?? null };
  };
  return { ...page, items: page.items.map((line) => ({ ...line, payment: factsOf(line.transactionId) })) };
}
