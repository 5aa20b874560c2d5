import type { Core } from '#core';
import type { Principal } from '#core/access/identity';
import type { Actor } from '#core/kernel';
import { actionsFor } from '../actions.ts';
import { DISPUTE_CHANGE } from '../disputes/routes.ts';

/** Rules about callers that change a payment. */
export const PAYMENT_CHANGE = { method: 'POST', permission: 'transactions:write', scope: 'merchant' } as const;
export const REFUND_CHANGE = { ...PAYMENT_CHANGE, permission: 'refunds:write' } as const;
export const CREDIT_CHANGE = { ...PAYMENT_CHANGE, permission: 'credits:write' } as const;

const ACCESS = {
  refund: REFUND_CHANGE,
  capture: PAYMENT_CHANGE,
  void: PAYMENT_CHANGE,
  adjust: PAYMENT_CHANGE,
  tip: PAYMENT_CHANGE,
  cancelCapture: PAYMENT_CHANGE,
  credit: CREDIT_CHANGE,
  rerun: PAYMENT_CHANGE,
  dispute: DISPUTE_CHANGE,
};

/** Returns a transaction with its history, and with what the caller can do with it now. */
export async function readTransaction(
  call: { readonly core: Core; readonly actor: Actor; readonly principal: Principal },
  transactionId: string,
) {
  const { core, actor } = call;
  const [transaction, ofPayment, dispute] = await Promise.all([
    core.payments.get(actor, transactionId),
    core.payments.actions(actor, transactionId),
    core.disputes.openAction(actor, transactionId),
  ]);
  return { ...transaction, actions: await actionsFor(call, ACCESS, { ...ofPayment, dispute }) };
}
