import { Type } from 'typebox';
import { toNumber } from '#core/kernel';
import type { QueueEntry } from '#core/sales/payments';
import { Maybe, RefundDeclineCodeOut, Timestamp } from './fields.ts';
import { named } from './named.ts';
import { BankAccountOut, CardOut } from './transaction.ts';

const STATUSES = ['pending', 'processing', 'retry', 'resolved', 'failed', 'cancelled'];
const text = () => Maybe(Type.String());
const time = () => Maybe(Timestamp);

/** An entry of the refund decline queue. */
const EntryFields = {
  id: Type.String(),
  transactionId: Type.String(),
  refundTransactionId: Type.String({ description: 'the declined refund' }),
  merchantId: Type.String(),
  amount: Type.Number({ description: 'major units' }),
  currency: Type.String(),
  status: Type.Union(STATUSES.map((status) => Type.Literal(status))),
  declineReason: Type.String(),
  declineCode: RefundDeclineCodeOut,
  gatewayType: Type.String(),
  gatewayResponse: Type.Object({ code: Type.String(), message: Type.String() }),
  attemptCount: Type.Integer({ description: 'retries made; 0 at first' }),
  maxAttempts: Type.Integer(),
  lastAttemptAt: time(),
  scheduledRetryAt: time(),
  customer: Maybe(Type.Object({ name: text(), email: text() })),
  card: Maybe(CardOut),
  bankAccount: Maybe(BankAccountOut),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  resolvedAt: time(),
  resolvedBy: text(),
  resolutionNotes: text(),
  refundMethod: text(),
  refundDate: text(),
  cancelledAt: time(),
  cancelledBy: text(),
  cancellationReason: text(),
  cancellationNotes: text(),
};
export const QueueEntryOut = named('RefundQueueEntry', Type.Object(EntryFields));
export const QueueEntryWithAttempts = named(
  'RefundQueueEntryWithAttempts',
  Type.Object({
    ...EntryFields,
    attempts: Type.Array(
      Type.Object({
        attemptNumber: Type.Integer(),
        attemptedAt: Timestamp,
        result: Type.Union(['approved', 'declined', 'failed', 'pending', 'unconfirmed'].map((result) => Type.Literal(result))),
        error: text(),
      }),
    ),
  }),
);
/** Status filters, including `open` (pending, retry, processing) and `closed` (resolved, cancelled). */
export const QUEUE_FILTERS = [...STATUSES, 'open', 'closed'];

export function queueEntryRecord<Entry extends QueueEntry>(entry: Entry) {
  return { ...entry, amount: toNumber(entry.amount) };
}
