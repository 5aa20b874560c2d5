import type { Work } from '#core/database';
import { bind } from '#core/kernel';
import type { ChangeEvents } from '#core/processing/domain-events';
import { dailyJob, settingsChanged, timeZoneChanged } from '../daily-run.ts';
import type { Dependencies } from '../dependencies.ts';
import { REMINDER_RUNS } from '../schema.ts';
import { choiceOf, choose, languageOf, needless, preview, remindersOf } from './read.ts';
import { remindersRun } from './run.ts';
import { INVOICE_REMINDERS, REMINDER_CHOICES } from './schema.ts';
import { customerDeleted, disputeWon, paymentDisputed, promise, resume, stop, withdrawPromise } from './stop.ts';

export { InvoiceReminders, ReminderChoice, ReminderPreview } from './records.ts';

export const REMINDER_TABLES = [REMINDER_RUNS, INVOICE_REMINDERS, REMINDER_CHOICES];

/** Reminders of unpaid invoices, promises to pay, and the choices of customers. */
export function createReminders(deps: Dependencies) {
  const run = remindersRun(deps);
  deps.scheduler.register(dailyJob(deps, run));
  return {
    ...bind(deps, { get: remindersOf, stop, resume, promise, withdrawPromise, preview }),
    ...bind(deps, { choiceOf, choose, languageOf, needless }),
    settingsChanged: (work: Work, { settings, ...changed }: ChangeEvents['merchant.reminders-changed']) => {
      const columns = { send_at: settings.sendAt, weekdays: JSON.stringify(settings.weekdays) };
      return settingsChanged({ ...deps, run }, work, { ...changed, enabled: settings.enabled, columns });
    },
    ...bind({ ...deps, run }, { timeZoneChanged }),
    ...bind(deps, { paymentDisputed, disputeWon, customerDeleted }),
  };
}
