import { Type } from 'typebox';
import {
  amount,
  count,
  currencyCode,
  flag,
  list,
  literals,
  mapOf,
  nullable,
  type RecordOf,
  record,
  text,
  time,
} from '#core/platform/fields';
import { CardOnRecord } from '#core/sales/payments';

/** Kinds of work that waits for a person. */
export const TO_DO_KINDS = [
  'unconfirmed_payment',
  'hosted_page',
  'approval',
  'failed_refund',
  'dispute',
  'expiring_authorization',
  'queued_payment',
  'discrepancy',
  'bank_line',
  'past_due_subscription',
  'past_due_installment_plan',
  'overdue_invoice',
  'promised_invoice',
  'open_order',
  'unsent_message',
  'expiring_card',
  'system_problem',
] as const;
export type ToDoKind = (typeof TO_DO_KINDS)[number];

/** Actions that a person can take about an item. */
const TO_DO_ACTIONS = [
  'accept',
  'approve',
  'cancel',
  'capture',
  'conclude',
  'inquire',
  'match',
  'reject',
  'release',
  'remind',
  'request_update',
  'resolve',
  'respond',
  'retry',
  'send',
  'set_up',
  'void',
] as const;
export type ToDoAction = (typeof TO_DO_ACTIONS)[number];

/** Work that waits for a person: one record, or several that are handled in one place. */
export const ToDoItem = record('ToDoItem', {
  id: text('Identifies the item: its kind, and the record or the place', 'failed_refund:rdq_01m7y495cj0020acfq3xv5ygj8'),
  kind: literals(TO_DO_KINDS, 'Kind of work', 'failed_refund'),
  merchantId: nullable(text('Merchant; null if the item concerns all merchants of the caller', 'mer_01m7y495cj0020acfq3xv5ygj8')),
  resourceId: nullable(text('ID of the record; null for several records', 'rdq_01m7y495cj0020acfq3xv5ygj8')),
  count: count('Number of records that the item stands for', 1),
  amount: nullable(amount('Amount', 61.2)),
  currency: nullable(currencyCode()),
  name: nullable(text('Customer, person who asks, message channel, or part of the system', 'Ines Brandt')),
  card: nullable(Type.Object({ brand: CardOnRecord.properties.brand, last4: CardOnRecord.properties.last4 }), 'Card of the payment'),
  detail: nullable(text('Reason, such as that of a decline or a dispute', 'The account is closed.')),
  since: nullable(time('Time from which it waits')),
  dueAt: nullable(time('Time until which it must be done; the present or a past time if it is overdue')),
  isUrgent: flag('True if it is overdue or due within 24 hours', true),
  link: text('Address of its screen, after the `#` of the address of Paydesk', '/refund-queue/rdq_01m7y495cj0020acfq3xv5ygj8'),
  actions: list(literals(TO_DO_ACTIONS, 'Action'), 'Actions that the caller has permission for', ['retry', 'resolve']),
});
export type ToDoItem = RecordOf<typeof ToDoItem>;

export const ToDoList = record('ToDoList', {
  items: list(ToDoItem, 'Items by the time until which they must be done, then by amount'),
  total: count('Number of items, including those beyond the limit', 1),
  urgentCount: count('Number of listed items that are overdue or due within 24 hours', 1),
  counts: mapOf(Type.Integer(), 'Number of items of each kind that the caller may see', { failed_refund: 1, dispute: 0 }),
  checkedAt: time('Time of the list'),
});
export type ToDoList = RecordOf<typeof ToDoList>;
