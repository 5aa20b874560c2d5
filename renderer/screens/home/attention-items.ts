import { useQuery } from '@tanstack/react-query';
import { CalendarClock, CircleHelp, CreditCard, FileText, Gavel, type LucideIcon, Scale, Undo2, UserCheck } from 'lucide-react';
import { disputeSummaryQuery, failedRefundsQuery, unconfirmedCountsQuery } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { useMay, useMerchant } from '#renderer/session/user';
import { usePendingForMe } from '#renderer/shared/approvals';
import { pastDuePlansQuery } from '#renderer/shared/installments';
import { addDays } from '#renderer/shared/reporting';
import { discrepanciesQuery, expiringQuery, overdueQuery, pastDueQuery } from './queries.ts';

/** Something that needs attention, with the one action that helps. */
export interface AttentionItem {
  readonly id: string;
  readonly icon: LucideIcon;
  /** Permission to see the item and to open its action. */
  readonly permission: string;
  /** Undefined until it is known; 0 hides the item. */
  readonly count: number | undefined;
  readonly text: (count: number) => string;
  readonly action: string;
  /** Address of the action. */
  readonly to: string;
}

/** Returns the items that need attention, the most urgent first, as far as the user may see them. A new item is one more entry of this list. */
export function useAttentionItems(today: string): { readonly items: readonly AttentionItem[]; readonly isKnown: boolean } {
  const may = useMay();
  const { merchantId } = useMerchant();
  const month = today.slice(0, 7);
  const monthBefore = addDays(`${month}-01`, -1).slice(0, 7);
  const unconfirmed = useQuery({ ...unconfirmedCountsQuery(merchantId), enabled: may('transactions:read') });
  const failed = useQuery({ ...failedRefundsQuery, enabled: may('refunds:read') });
  const disputes = useQuery({ ...disputeSummaryQuery(merchantId), enabled: may('disputes:read') });
  const pastDue = useQuery({ ...pastDueQuery(merchantId), enabled: may('recurring:read') });
  const pastDuePlans = useQuery({ ...pastDuePlansQuery(merchantId), enabled: may('recurring:read') });
  const overdue = useQuery({ ...overdueQuery(merchantId), enabled: may('invoices:read') });
  const expiring = useQuery({ ...expiringQuery(merchantId), enabled: may('customers:read') });
  const thisMonth = useQuery({ ...discrepanciesQuery(merchantId, month), enabled: may('settlement:read') });
  const lastMonth = useQuery({ ...discrepanciesQuery(merchantId, monthBefore), enabled: may('settlement:read') });
  const pendingApprovals = usePendingForMe();
  const openCount = thisMonth.data && lastMonth.data && thisMonth.data.count + lastMonth.data.count;
  const openDate = thisMonth.data?.date ?? lastMonth.data?.date;
  const items: readonly AttentionItem[] = [
    {
      id: 'unconfirmed',
      icon: CircleHelp,
      permission: 'transactions:read',
      count: unconfirmed.data?.needsPerson,
      text: (count) => t('{{count, number}} payments without an answer of the processor', { count }),
      action: t('Resolve'),
      to: '/unconfirmed-payments',
    },
    {
      id: 'approvals',
      icon: UserCheck,
      permission: 'approvals:write',
      count: pendingApprovals.length,
      text: (count) => t('{{count, number}} requests wait for your approval', { count }),
      action: t('Decide'),
      to: '/approvals',
    },
    {
      id: 'refunds',
      icon: Undo2,
      permission: 'refunds:read',
      count: failed.data,
      text: (count) => t('{{count, number}} refunds failed after all retries', { count }),
      action: t('Resolve'),
      to: '/refund-queue',
    },
    {
      id: 'disputes',
      icon: Gavel,
      permission: 'disputes:read',
      count: disputes.data?.dueSoonCount,
      text: (count) => t('{{count, number}} disputes need evidence within 7 days', { count }),
      action: t('Respond'),
      to: '/disputes',
    },
    {
      id: 'discrepancies',
      icon: Scale,
      permission: 'settlement:read',
      count: openCount,
      text: (count) => t('{{count, number}} open discrepancies with the processor', { count }),
      action: t('Compare'),
      to: `/reconciliation${openDate ? `/${openDate}` : ''}`,
    },
    {
      id: 'subscriptions',
      icon: CalendarClock,
      permission: 'recurring:read',
      count: pastDue.data,
      text: (count) => t('{{count, number}} subscriptions past due', { count }),
      action: t('View'),
      to: '/recurring?tab=past-due',
    },
    {
      id: 'installments',
      icon: CalendarClock,
      permission: 'recurring:read',
      count: pastDuePlans.data,
      text: (count) => t('{{count, number}} installment plans past due', { count }),
      action: t('View'),
      to: '/recurring/installments?tab=past-due',
    },
    {
      id: 'invoices',
      icon: FileText,
      permission: 'invoices:read',
      count: overdue.data,
      text: (count) => t('{{count, number}} invoices overdue', { count }),
      action: t('View'),
      to: '/invoices?tab=all&status=overdue',
    },
    {
      id: 'cards',
      icon: CreditCard,
      permission: 'customers:read',
      count: expiring.data,
      text: (count) => t('{{count, number}} cards on file expire within 60 days', { count }),
      action: t('View'),
      to: '/customers?tab=expiring',
    },
  ];
  const readable = items.filter(({ permission }) => may(permission));
  return { items: readable, isKnown: readable.every(({ count }) => count !== undefined) };
}
