import { Type } from 'typebox';
import type { Core } from '#core';
import type { Page } from '#core/database';
import type { Actor } from '#core/kernel';
import type { PaymentFacts } from '#core/sales/payments';
import { Maybe, Timestamp } from './fields.ts';
import { named } from './named.ts';
import { BankAccountOut, CardOut } from './transaction.ts';

/** Facts by which a person recognizes the payment of a line. */
export const PaymentFactsOut = Maybe(
  named(
    'PaymentFacts',
    Type.Object({
      createdAt: Timestamp,
      customer: Maybe(Type.Object({ name: Maybe(Type.String()), email: Maybe(Type.String()) })),
      card: Maybe(CardOut),
      bankAccount: Maybe(BankAccountOut),
      orderId: Maybe(Type.String()),
    }),
  ),
);

/** Returns the facts in the form of the API. */
export const paymentFactsRecord = ({ createdAt, customer, card, bankAccount, orderId }: PaymentFacts) => ({
  createdAt,
  customer,
  card,
  bankAccount,
  orderId,
});

/** A line with the facts of its payment. */
export type WithPayment<Line> = Line & { readonly payment: PaymentFacts | null };

/** Adds the facts of its payment to each line of a page: null if the caller may not read transactions, or if the line has no payment. */
export async function withPayments<Line extends { readonly transactionId: string | null }>(core: Core, actor: Actor, page: Page<Line>) {
  const ids = page.items.flatMap(({ transactionId }) => transactionId ?? []);
  const facts = await core.payments.facts(actor, ids);
  return { ...page, items: page.items.map((line) => ({ ...line, payment: facts.get(line.transactionId ?? '') ?? null })) };
}
