import type { createInstallments } from '#core/billing/installments';
import type { Invoicing } from '#core/billing/invoicing';
import type { createReceipts } from '#core/billing/receipts';
import type { createRecurring } from '#core/billing/recurring';
import type { createDisputes } from '#core/books/disputes';
import type { createAudit } from '#core/records/audit';
import type { Notifications } from '#core/records/notifications';
import type { Customers } from '#core/sales/customers';

interface Capabilities {
  readonly audit: Pick<ReturnType<typeof createAudit>, 'entryBlocks'>;
  readonly customers: Pick<Customers, 'methods'>;
  readonly installments: Pick<ReturnType<typeof createInstallments>, 'installmentOf'>;
  readonly invoicing: Pick<Invoicing, 'get' | 'visits' | 'attachmentOf'>;
  readonly notifications: Pick<Notifications, 'page'>;
  readonly receipts: Pick<ReturnType<typeof createReceipts>, 'pdfFor'>;
  readonly recurring: Pick<ReturnType<typeof createRecurring>, 'recordOf'>;
}

/** Returns the records of other capabilities from which the evidence of disputes is collected. */
export function evidenceSourcesOf(capabilities: Capabilities): Parameters<typeof createDisputes>[0]['sources'] {
  const { audit, customers, installments, invoicing, notifications, receipts, recurring } = capabilities;
  return {
    invoice: invoicing.get,
    invoiceVisits: invoicing.visits,
    subscription: recurring.recordOf,
    installment: installments.installmentOf,
    messages: notifications.page,
    methods: customers.methods,
    auditEntries: audit.entryBlocks,
    receiptPdf: receipts.pdfFor,
    invoicePdf: async (tenantId, invoiceId) => (await invoicing.attachmentOf(tenantId, invoiceId)).content,
  };
}
