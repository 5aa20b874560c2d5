import type { InvoiceRow, ReminderStopReason } from '../schema.ts';

/** Returns the columns of an invoice whose reminders ended. */
export const stoppedColumns = (reason: ReminderStopReason, by: string, at: string): Partial<InvoiceRow> => ({
  reminders_stopped_at: at,
  reminders_stopped_by: by,
  reminders_stop_reason: reason,
});

/** Columns of an invoice whose reminders were not ended. */
export const NOT_STOPPED = { reminders_stopped_at: null, reminders_stopped_by: null, reminders_stop_reason: null } as const;

/** Columns of an invoice without a promise to pay. */
export const NO_PROMISE = { promised_date: null, promised_by: null, promised_at: null, promise_recorded_by: null } as const;
