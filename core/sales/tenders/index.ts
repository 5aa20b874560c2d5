import { queriesOn, TENANT, type Work } from '#core/database';
import { bind } from '#core/kernel';
import type { ChangeEvents } from '#core/processing/domain-events';
import { getWithActions } from './actions.ts';
import { createTender, receiveForInvoice } from './create.ts';
import type { Dependencies } from './dependencies.ts';
import { findRefund, getTender, lines, netSums, page, range, totals } from './read.ts';
import { lockForRefund, refundTender, refundToStoreCredit } from './refund.ts';
import { returnCheck, takeBackTransfer } from './return-check.ts';
import { TENDER_COUNTS, TENDER_NUMBERS, TENDER_REFUNDS, TENDERS } from './schema.ts';

export { cashRoundings } from './cash-rounding.ts';
export type { InvoiceTender } from './create.ts';
export type { TenderResult } from './dependencies.ts';
export { refundedTenders } from './order-shares.ts';
export type { TenderFilter } from './read.ts';
export { READABLE_TENDER_REFUNDS, READABLE_TENDERS } from './read-model.ts';
export { TENDER_STATUSES, Tender, TenderDetail, TenderRefund } from './records.ts';
export { TENDER_KINDS, type TenderKind } from './schema.ts';
export { numberOf as tenderNumber } from './tender.ts';

export const TABLES = [TENDERS, TENDER_REFUNDS, TENDER_NUMBERS, TENDER_COUNTS];

export type Tenders = ReturnType<typeof createTenders>;

const queries = queriesOn(TENDERS);

/** Cash, checks and other payments at the counter. No processor takes them, so they are never settled or reconciled. */
export function createTenders(deps: Dependencies) {
  return {
    ...bind(deps, { create: createTender, refund: refundTender }),
    lockForRefund,
    ...bind(deps, { refundToStoreCredit, returnCheck, get: getTender, getWithActions, receiveForInvoice, takeBackTransfer }),
    ...bind(deps, { findRefund, page, totals, netSums, range, lines }),
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
