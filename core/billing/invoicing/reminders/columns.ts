import type { InvoiceRow, ReminderStopReason } from '../schema.ts';

type StopColumns = Pick<InvoiceRow, 'reminders_stopped_at' | 'reminders_stopped_by' | 'reminders_stop_reason'>;

/** Returns the columns of an invoice whose reminders ended. */
export const stoppedColumns = (reason: ReminderStopReason, by: string, at: string): StopColumns => ({
  reminders_stopped_at: at,
  reminders_stopped_by: by,
  reminders_stop_reason: reason,
});

/** Columns of an invoice whose reminders were not ended. */
const NO_STOP = { reminders_stopped_at: null, reminders_stopped_by: null, reminders_stop_reason: null } as const;
export const NOT_STOPPED = { ...NO_STOP, reminders_stop_before_dispute: null } as const;

/** Returns the columns of an invoice whose reminders a dispute of a payment ended. It keeps their earlier end, which remains if the dispute is won. */
export const disputedColumns = (row: StopColumns, by: string, at: string) => ({
  ...stoppedColumns('dispute', by, at),
  ...(row.reminders_stopped_at !== null && endBeforeDispute(row)),
});

/** Returns the column for an end of reminders that begins to apply when a dispute is won. */
export const endBeforeDispute = ({ reminders_stopped_at, reminders_stopped_by, reminders_stop_reason }: StopColumns) => ({
  reminders_stop_before_dispute: JSON.stringify({ reminders_stopped_at, reminders_stopped_by, reminders_stop_reason }),
});

/** Returns the columns of an invoice whose dispute was won. */
export const afterWonDispute = ({ reminders_stop_before_dispute: before }: Pick<InvoiceRow, 'reminders_stop_before_dispute'>) => ({
  ...(before === null ? NO_STOP : (JSON.parse(before) as StopColumns)),
  reminders_stop_before_dispute: null,
});

/** Columns of an invoice without a promise to pay. */
export const NO_PROMISE = { promised_date: null, promised_by: null, promised_at: null, promise_recorded_by: null } as const;
