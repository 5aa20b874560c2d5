import { createCustomerPages, sampleFooter } from '#core/billing/customer-page';
import { createInstallments, invoicesInInstallments } from '#core/billing/installments';
import { createInvoicing, getInvoice, invoiceOfPayment } from '#core/billing/invoicing';
import { createQueuedPayments } from '#core/billing/queued-payments';
import { createReceipts } from '#core/billing/receipts';
import { createRecurring } from '#core/billing/recurring';
import { createStatements } from '#core/billing/statements';
import { isAnyDisputed } from '#core/books/disputes';
import { serviceActor } from '#core/kernel';
import type { Foundation } from './foundation.ts';
import type { CoreOptions } from './options.ts';
import type { SalesArea } from './sales-area.ts';

export type BillingArea = ReturnType<typeof createBilling>;

/** Constructs the capabilities of billing. */
export function createBilling(options: CoreOptions, foundation: Foundation, sales: SalesArea) {
  const { database } = options;
  const { common, audit, chargeHold, connectivity, environmentOf, identity, limits, merchants, notifications, pageUrl, secrets } =
    foundation;
  const { discounts, customers, shifts, payments, tenders, orders } = sales;
  const recurring = createRecurring({ ...common, customers, payments });
  const receipts = createReceipts({
    ...common,
    orders,
    payments,
    tenders,
    shifts,
    environmentOf,
    lastAuditEntry: audit.lastEntry,
    isTestPayment: async (tenantId, transactionId) => {
      const gatewayId = await payments.gatewayIdOf(tenantId, transactionId);
      return gatewayId !== null && merchants.gateways.isTest(tenantId, gatewayId);
    },
    invoiceNumber: async (tenantId, invoiceId) => (await getInvoice({ database, merchants }, serviceActor(tenantId), invoiceId)).number,
    invoiceOf: (tenantId, invoiceId) => getInvoice({ database, merchants }, serviceActor(tenantId), invoiceId),
    invoiceOfPayment: (actor, paymentId) => invoiceOfPayment({ database, merchants }, actor, paymentId),
  });
  notifications.registerAttachments('receipt', receipts.pdfOf);
  const invoicing = createInvoicing({
    secrets,
    ...common,
    customers,
    merchants,
    payments,
    tenders,
    environmentOf,
    mailReceipt: receipts.emailOnce,
    delivers: notifications.delivers,
    invoicesInInstallments,
    isAnyDisputed,
    chargesResumedAt: chargeHold.resumedAt,
    sampleFooter: (merchant, language) => sampleFooter(merchants, merchant, language),
    ownUrls: () => [options.publicUrl ?? pageUrl(''), pageUrl('')],
  });
  notifications.registerAttachments('invoice', invoicing.attachmentOf);
  notifications.registerCheck('invoice', invoicing.reminders.needless);
  const statements = createStatements({ ...common, customers, environmentOf });
  notifications.registerAttachments('statement', statements.attachmentOf);
  notifications.registerCheck('statement', statements.needless);
  const installments = createInstallments({ ...common, customers, invoicing, payments });
  const queuedPayments = createQueuedPayments({
    ...common,
    customers,
    payments,
    createLink: invoicing.createLink,
    mailReceipt: receipts.emailOnce,
    takesCards: connectivity.takesCards,
    discounts,
  });
  const customerPages = createCustomerPages({
    ...common,
    environmentOf,
    merchants,
    customers,
    invoicing,
    installments,
    recurring,
    queuedPayments,
    payments,
    tenders,
    receipts,
    pageCodes: identity.pageCodes,
    checkStillHolds: identity.apiKeys.checkStillHolds,
    notifications,
    limits,
    secrets,
  });
  return { recurring, receipts, invoicing, statements, installments, queuedPayments, customerPages };
}
