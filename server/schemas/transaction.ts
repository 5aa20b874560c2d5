import { record } from '#core/platform/fields';
import { TransactionDetail } from '#core/sales/payments';
import { ActionsOut } from './action.ts';

/** A transaction with its history, and with what the caller can do with it. */
export const TransactionWithActions = record('TransactionWithHistory', {
  ...TransactionDetail.properties,
  actions: ActionsOut(['refund', 'capture', 'void', 'adjust', 'tip', 'cancelCapture', 'credit', 'rerun', 'dispute']),
});

/** Description of a rerun on the Admin and Public surfaces. */
export const RERUN_DESCRIPTION =
  'Charges the stored card or account again, without a security code; the response is a new transaction with `rerunOf`. A payment is rerun at most once successfully: while a rerun is pending or unconfirmed, and after one was approved, a further rerun is rejected with RESOURCE_CONFLICT and `details.transactionId` names that rerun. A declined or failed rerun may be followed by another. Concurrent reruns wait for each other. Payments of invoices, subscriptions and the charge-later queue cannot be rerun; retry them on the invoice, the subscription or the queue (`details.reason`: `invoice_payment`, `subscription_payment`, `queued_payment`).';
