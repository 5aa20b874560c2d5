import { useQuery } from '@tanstack/react-query';
import { useMay } from '#renderer/session/user';
import { previewLateFees, previewReminders, sectionQuery } from './sections.ts';

/** Returns the days on which one unpaid invoice is charged late fees with the saved settings; none while they are off. */
export function useFeeDays(merchantId: string): readonly string[] {
  const canSeeInvoices = useMay()('invoices:read');
  const settings = useQuery({ ...sectionQuery(merchantId, 'lateFees'), enabled: canSeeInvoices });
  const preview = useQuery({
    queryKey: ['settings', merchantId, 'late-fee-preview', '{}'],
    queryFn: () => previewLateFees(merchantId, {}),
    enabled: settings.data?.enabled === true,
  });
  return settings.data?.enabled === true ? (preview.data?.life.map(({ day }) => day) ?? []) : [];
}

/** Returns the days on which one unpaid invoice is reminded with the saved settings; none while reminders are off. */
export function useReminderDays(merchantId: string): readonly string[] {
  const settings = useQuery(sectionQuery(merchantId, 'reminders'));
  const preview = useQuery({
    queryKey: ['settings', merchantId, 'reminder-preview', '{}'],
    queryFn: () => previewReminders(merchantId, {}),
    enabled: settings.data?.enabled === true,
  });
  return settings.data?.enabled === true ? (preview.data?.life.map(({ day }) => day) ?? []) : [];
}
