import { queriesOn, TENANT, type Work } from '#core/database';
import { type Actor, bind } from '#core/kernel';
import type { ChangeEvents } from '#core/processing/domain-events';
import type { Merchant } from '#core/processing/merchants';
import { getWithActions } from './actions.ts';
import { createTender, type InvoiceTender, receiveForInvoice } from './create.ts';
import type { Dependencies } from './dependencies.ts';
import { findRefund, getTender, lines, netSums, page, range } from './read.ts';
import { lockForRefund, refundTender, refundToStoreCredit, type TenderRefundInput } from './refund.ts';
import { returnCheck, takeBackTransfer } from './return-check.ts';
import { TENDER_NUMBERS, TENDER_REFUNDS, TENDERS } from './schema.ts';

export { cashRoundings } from './cash-rounding.ts';
export type { InvoiceTender } from './create.ts';
export type { TenderResult } from './dependencies.ts';
export { refundedTenders } from './order-shares.ts';
export type { TenderFilter } from './read.ts';
export { READABLE_TENDER_REFUNDS, READABLE_TENDERS } from './read-model.ts';
export { TENDER_STATUSES, Tender, TenderDetail, TenderRefund } from './records.ts';
export { TENDER_KINDS, type TenderKind } from './schema.ts';
export { numberOf as tenderNumber } from './tender.ts';

export const TABLES = [TENDERS, TENDER_REFUNDS, TENDER_NUMBERS];

export type Tenders = ReturnType<typeof createTenders>;

const queries = queriesOn(TENDERS);

/** Cash, checks and other payments at the counter. No processor takes them, so they are never settled or reconciled. */
export function createTenders(deps: Dependencies) {
  return {
    ...bind(deps, { create: createTender, refund: refundTender }),
    lockForRefund,
    /** Refunds a tender to a gift card, in the unit of work that puts the money on the card. */
    refundToStoreCredit: (
      work: Work,
      actor: Actor,
      input: TenderRefundInput & { readonly tenderId: string; readonly giftCardId: string },
    ) => refundToStoreCredit(deps, work, actor, input),
    /** Records that the bank returned a check. */
    returnCheck: (actor: Actor, tenderId: string, input: { readonly reason?: string }) => returnCheck(deps, actor, tenderId, input),
    get: (actor: Pick<Actor, 'tenantId' | 'merchantId'>, tenderId: string) => getTender(deps, actor, tenderId),
    /** Same as `get()`, with what can be done with the tender now. */
    getWithActions: (actor: Actor, tenderId: string) => getWithActions(deps, actor, tenderId),
    ...bind(deps, { findRefund, page, netSums, range, lines }),
    /** Records a payment of an invoice, in the unit of work of the payment. */
    receiveForInvoice: (work: Work, actor: Actor, merchant: Merchant, payment: InvoiceTender) =>
      receiveForInvoice(deps, work, actor, merchant, payment),
    /** Takes the payment of an invoice by a bank transfer back, in the unit of work that undoes the match of its bank line. */
    takeBackTransfer: (work: Work, actor: Actor, merchant: Merchant, tenderId: string, reason: string) =>
      takeBackTransfer(deps, work, actor, merchant, tenderId, reason),
    /** Removes the name and the address of a deleted customer; the amounts stay in the books. */
    customerDeleted: async (work: Work, { customerId }: ChangeEvents['customer.deleted']): Promise<void> => {
      await work.execute(
        queries
          .updateTable('tenders')
          .set({ customer_name: null, customer_email: null })
          .where('tenant_id', '=', TENANT)
          .where('customer_id', '=', customerId),
      );
    },
  };
}
