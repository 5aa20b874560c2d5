import { checkOpen, createBank } from '#core/books/bank';
import { createDisputes } from '#core/books/disputes';
import { createJournal } from '#core/books/journal';
import { createReconciliation } from '#core/books/reconciliation';
import { createReporting } from '#core/books/reporting';
import { createSettlement } from '#core/books/settlement';
import type { BillingArea } from './billing-area.ts';
import type { Foundation } from './foundation.ts';
import type { CoreOptions } from './options.ts';
import type { SalesArea } from './sales-area.ts';

export type BooksArea = ReturnType<typeof createBooks>;

/** Constructs the capabilities of the books. */
export function createBooks(options: CoreOptions, foundation: Foundation, below: SalesArea & BillingArea) {
  const { database } = options;
  const { common, audit, directory, gateways, merchants, notifications, secrets } = foundation;
  const { clockOf, merchantFor } = common;
  const { customers, payments, recurring, receipts, invoicing, installments } = below;
  const disputes = createDisputes({
    ...common,
    payments,
    gateways,
    gatewayIds: directory.accounts.gatewayIdsOf,
    secrets,
    sources: {
      invoice: invoicing.get,
      invoiceVisits: invoicing.visits,
      subscription: recurring.recordOf,
      installment: installments.installmentOf,
      messages: notifications.page,
      methods: customers.methods,
      auditEntries: audit.entryBlocks,
      receiptPdf: receipts.pdfFor,
      invoicePdf: async (tenantId, invoiceId) => (await invoicing.attachmentOf(tenantId, invoiceId)).content,
    },
  });
  const settlement = createSettlement({
    ...common,
    payments,
    disputes,
    zoneIn: merchants.zoneIn,
    merchantsOf: (actor) => merchants.merchantsOf(actor),
    feesOf: merchants.feesOf,
    blockLines: options.settlementBlockLines,
  });
  const reconciliation = createReconciliation({ ...common, gateways, checkOpen });
  const reporting = createReporting({ ...common, payments });
  const bank = createBank({
    ...common,
    invoicing,
    secrets,
    reconciledDays: reconciliation.days,
    comparedDays: reconciliation.daysIn,
    settlingFrom: settlement.settlingFrom,
    giftCardReport: reporting.giftCards,
  });
  const journal = createJournal({ database, clockOf, merchantFor, lockMerchant: merchants.lock, audit: audit.record });
  return { disputes, settlement, reconciliation, reporting, bank, journal };
}
