import { api, type NewReportMail, takeData } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { MailDialog } from '#renderer/shared/report-mail';
import { daysText } from '#renderer/shared/reporting';
import { TABS } from './use-view.ts';

/** A report with its filters, as the service sends it. */
export type ReportMail = Omit<NewReportMail, 'email'> & { readonly startDate: string; readonly endDate: string };

/** Sends a report to an address. */
export function ReportMailDialog({ mail, onClose }: { readonly mail: ReportMail; readonly onClose: () => void }) {
  const { startDate, endDate } = mail;
  const name = TABS.find(({ id }) => id === mail.report)?.name ?? '';
  return (
    <MailDialog
      title={t('Send report')}
      content={t('{{report}}, {{period}}, with totals.', { report: name, period: daysText({ startDate, endDate }) })}
      send={(email, key) =>
        takeData(api.POST('/api/v1/reporting/email', { body: { ...mail, email }, params: { header: { 'Idempotency-Key': key } } }))
      }
      onClose={onClose}
    />
  );
}
