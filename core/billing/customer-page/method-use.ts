import type { Read } from '#core/database';
import type { Dependencies } from './dependencies.ts';

/** Agreed payments that are charged to the cards and bank accounts of a customer. */
interface MethodUse {
  /** Cards and bank accounts of open installment plans and of payments that wait to be charged. */
  readonly agreedIds: ReadonlySet<string>;
  /** True if the customer has a subscription that has not ended. It uses another card if its own is removed. */
  readonly hasSubscription: boolean;
}

/** Returns the agreed payments of a customer. In a unit of work that locks the customer, the result stays true until its end. */
export async function methodUseOf(deps: Dependencies, read: Read, customerId: string): Promise<MethodUse> {
  const planned = await deps.installments.methodsOfOpenPlans(read, customerId);
  const waiting = await deps.queuedPayments.methodsOfWaiting(read, customerId);
  return { agreedIds: new Set([...planned, ...waiting]), hasSubscription: await deps.recurring.hasOpenSubscription(read, customerId) };
}

/** Returns true if a plan, a waiting payment or a subscription could be charged to nothing else without this card or bank account. */
export function isNeeded({ agreedIds, hasSubscription }: MethodUse, paymentMethodId: string, methodCount: number): boolean {
  return agreedIds.has(paymentMethodId) || (methodCount === 1 && hasSubscription);
}
