import type { createCustomerPages } from '#core/billing/customer-page';
import type { createInstallments } from '#core/billing/installments';
import type { createInvoicing } from '#core/billing/invoicing';
import type { createQueuedPayments } from '#core/billing/queued-payments';
import type { createRecurring } from '#core/billing/recurring';
import type { createBank } from '#core/books/bank';
import type { createDisputes } from '#core/books/disputes';
import type { createJournal } from '#core/books/journal';
import type { createReconciliation } from '#core/books/reconciliation';
import type { createSettlement } from '#core/books/settlement';
import { forgetImported } from '#core/operation/customer-transfer';
import type { EventHandlers } from '#core/processing/domain-events';
import type { createGiftCards } from '#core/sales/gift-cards';
import type { createOrders } from '#core/sales/orders';
import type { createPayments } from '#core/sales/payments';
import type { createShifts } from '#core/sales/shifts';
import type { createTenders } from '#core/sales/tenders';

/** Capabilities that react to changes in others. */
interface Capabilities {
  readonly bank: ReturnType<typeof createBank>;
  readonly customerPages: ReturnType<typeof createCustomerPages>;
  readonly disputes: ReturnType<typeof createDisputes>;
  readonly giftCards: ReturnType<typeof createGiftCards>;
  readonly installments: ReturnType<typeof createInstallments>;
  readonly invoicing: ReturnType<typeof createInvoicing>;
  readonly journal: ReturnType<typeof createJournal>;
  readonly orders: ReturnType<typeof createOrders>;
  readonly queuedPayments: ReturnType<typeof createQueuedPayments>;
  readonly payments: ReturnType<typeof createPayments>;
  readonly reconciliation: ReturnType<typeof createReconciliation>;
  readonly recurring: ReturnType<typeof createRecurring>;
  readonly settlement: ReturnType<typeof createSettlement>;
  readonly shifts: ReturnType<typeof createShifts>;
  readonly tenders: ReturnType<typeof createTenders>;
}

/** Returns the handlers of every domain event, in the order in which they run. */
export function eventHandlersOf(capabilities: Capabilities): EventHandlers {
  const {
    bank,
    customerPages,
    disputes,
    installments,
    invoicing,
    giftCards,
    journal,
    orders,
    queuedPayments,
    payments,
    reconciliation,
    recurring,
    settlement,
    shifts,
    tenders,
  } = capabilities;
  return {
    'customer.deleted': [
      // Orders are locked before gift cards.
      orders.customerDeleted,
      giftCards.customerDeleted,
      recurring.customerDeleted,
      payments.customerDeleted,
      tenders.customerDeleted,
      invoicing.customerDeleted,
      installments.customerDeleted,
      bank.customerDeleted,
      queuedPayments.customerDeleted,
      customerPages.customerDeleted,
      forgetImported,
    ],
    'user.rights-changed': [customerPages.rightsChanged],
    'customer.contact-changed': [customerPages.contactChanged],
    'payment-method.changed': [recurring.paymentMethodChanged, installments.paymentMethodChanged],
    'payment-method.replaced': [recurring.paymentMethodReplaced, installments.paymentMethodReplaced, queuedPayments.paymentMethodReplaced],
    'payment-method.removed': [recurring.paymentMethodRemoved, installments.paymentMethodRemoved],
    'payment.disputed': [invoicing.reminders.paymentDisputed],
    'payment.dispute-won': [invoicing.reminders.disputeWon],
    'payment.voided': [invoicing.paymentVoided],
    'order-payment.started': [orders.paymentStarted],
    'order-payment.decided': [orders.paymentDecided],
    'order-payment.returning': [orders.paymentReturning],
    'order-payment.returned': [orders.paymentReturned],
    'check.returned': [invoicing.checkReturned],
    'tender.refunded': [bank.tenderRefunded],
    'invoice.changed': [installments.invoiceChanged, bank.invoiceChanged],
    'payment.returned': [recurring.paymentReturned, installments.paymentReturned],
    'payment.confirmed': [recurring.paymentConfirmed, invoicing.paymentConfirmed, queuedPayments.paymentConfirmed],
    'settlement.closed': [reconciliation.settlementClosed],
    'payout.paid': [bank.payoutPaid],
    'period.closed': [journal.periodClosed],
    'merchant.closing': [
      ...payments.merchantClosing,
      ...settlement.merchantClosing,
      ...disputes.merchantClosing,
      ...invoicing.merchantClosing,
      ...recurring.merchantClosing,
      ...installments.merchantClosing,
      ...queuedPayments.merchantClosing,
      ...shifts.merchantClosing,
    ],
    'merchant.reminders-changed': [invoicing.reminders.settingsChanged],
    'merchant.late-fees-changed': [invoicing.lateFees.settingsChanged],
    'merchant.time-zone-changed': [
      settlement.timeZoneChanged,
      invoicing.reminders.timeZoneChanged,
      invoicing.lateFees.timeZoneChanged,
      recurring.timeZoneChanged,
    ],
  };
}
