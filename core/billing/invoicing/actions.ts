import { type Actor, actionsOf, type WithActions } from '#core/kernel';
import { checkOpen } from '#core/processing/merchants';
import { checkPayable, payableAmount } from './balance.ts';
import { checkChange } from './change.ts';
import type { Dependencies } from './dependencies.ts';
import { findInvoice, loadInvoice } from './read.ts';
import type { Invoice } from './records.ts';

export type InvoiceAction = 'update' | 'send' | 'pay' | 'cancel';

/**
 * Returns an invoice or a payment link with what can be done with it now, by the checks of the operations themselves. `pay` has the amount that can still be
 * paid. @throws ServiceError INVOICE_NOT_FOUND, MERCHANT_NOT_AUTHORIZED.
 */
export async function getWithActions(deps: Dependencies, actor: Actor, id: string): Promise<Invoice & WithActions<InvoiceAction>> {
  const { row, merchant } = await findInvoice(deps, actor, id);
  const invoice = await loadInvoice(deps, deps.database.read(actor.tenantId), row, merchant);
  const now = deps.clockOf(actor.tenantId).now();
  const change = (operation: Exclude<InvoiceAction, 'pay'>) => () => {
    if (operation === 'send') checkOpen(merchant);
    checkChange(row, operation, now);
    return {};
  };
  const actions = await actionsOf({
    update: change('update'),
    send: change('send'),
    pay: () => {
      checkOpen(merchant);
      checkPayable(row, null);
      return { maxAmount: payableAmount(row) };
    },
    cancel: change('cancel'),
  });
  return { ...invoice, actions };
}
