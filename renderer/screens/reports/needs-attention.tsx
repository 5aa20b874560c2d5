import Box from '@mui/material/Box';
import MuiLink from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { CalendarClock, Check, CreditCard, FileText, type LucideIcon, Scale, Undo2 } from 'lucide-react';
import { useId } from 'react';
import { Link } from 'react-router';
import { failedRefundsQuery } from '#renderer/client';
import { useMay, useMerchant } from '#renderer/session';
import { addDays } from './days.ts';
import { discrepanciesQuery, expiringQuery, overdueQuery, pastDueQuery } from './queries.ts';
import { counted } from './texts.ts';

interface AttentionItem {
  readonly id: string;
  readonly icon: LucideIcon;
  readonly count: number | undefined;
  readonly text: (count: number) => string;
  readonly to: string;
}

/** Items that need attention, as far as the user may see them. */
export function NeedsAttention({ today }: { today: string }) {
  const title = useId();
  const { items, isKnown } = useAttentionItems(today);
  const open = items.filter(({ count }) => (count ?? 0) > 0);
  if (items.length === 0 || (!isKnown && open.length === 0)) return null;
  return (
    <Box component="section" aria-labelledby={title}>
      <Typography variant="h3" id={title} sx={{ mb: 1.5 }}>
        Needs attention
      </Typography>
      {open.length === 0 ? (
        <Box sx={{ display: 'flex', alignItems: 'center', gap: 2, fontSize: 13, color: 'text.secondary' }}>
          <Check size={16} aria-hidden />
          Nothing needs attention.
        </Box>
      ) : (
        <Box
          component="ul"
          aria-labelledby={title}
          sx={{
            m: 0,
            p: 0,
            listStyle: 'none',
            display: 'grid',
            columnGap: 4,
            gridTemplateColumns: 'repeat(auto-fill, minmax(min(100%, 280px), 1fr))',
          }}
        >
          {open.map(({ id, icon: Icon, count = 0, text, to }) => (
            <Box
              key={id}
              component="li"
              data-need={id}
              sx={(theme) => ({
                display: 'flex',
                alignItems: 'center',
                gap: 2,
                py: 1.75,
                fontSize: 13,
                borderTop: `1px solid ${theme.vars.palette.divider}`,
                '& svg': { color: theme.vars.palette.tone.warning.main, flexShrink: 0 },
              })}
            >
              <Icon size={16} aria-hidden />
              <MuiLink component={Link} to={to} sx={{ lineHeight: '24px' }}>
                {text(count)}
              </MuiLink>
            </Box>
          ))}
        </Box>
      )}
    </Box>
  );
}

function useAttentionItems(today: string): { readonly items: readonly AttentionItem[]; readonly isKnown: boolean } {
  const may = useMay();
  const { merchantId } = useMerchant();
  const month = today.slice(0, 7);
  const monthBefore = addDays(`${month}-01`, -1).slice(0, 7);
  const failed = useQuery({ ...failedRefundsQuery, enabled: may('refunds:read') });
  const pastDue = useQuery({ ...pastDueQuery(merchantId), enabled: may('recurring:read') });
  const overdue = useQuery({ ...overdueQuery(merchantId), enabled: may('invoices:read') });
  const expiring = useQuery({ ...expiringQuery(merchantId), enabled: may('customers:read') });
  const thisMonth = useQuery({ ...discrepanciesQuery(merchantId, month), enabled: may('settlement:read') });
  const lastMonth = useQuery({ ...discrepanciesQuery(merchantId, monthBefore), enabled: may('settlement:read') });
  const openCount = thisMonth.data && lastMonth.data && thisMonth.data.count + lastMonth.data.count;
  const openDate = thisMonth.data?.date ?? lastMonth.data?.date;
  const items: (AttentionItem & { readonly permission: string })[] = [
    {
      id: 'refunds',
      permission: 'refunds:read',
      icon: Undo2,
      count: failed.data,
      text: (count) => `${counted(count, 'refund')} failed after all retries`,
      to: '/refund-queue',
    },
    {
      id: 'subscriptions',
      permission: 'recurring:read',
      icon: CalendarClock,
      count: pastDue.data,
      text: (count) => `${counted(count, 'subscription')} past due`,
      to: '/recurring?tab=past-due',
    },
    {
      id: 'invoices',
      permission: 'invoices:read',
      icon: FileText,
      count: overdue.data,
      text: (count) => `${counted(count, 'invoice')} overdue`,
      to: '/invoices?tab=all&status=overdue',
    },
    {
      id: 'discrepancies',
      permission: 'settlement:read',
      icon: Scale,
      count: openCount,
      text: (count) => `${count.toLocaleString('en-US')} open ${count === 1 ? 'discrepancy' : 'discrepancies'} with the processor`,
      to: `/reconciliation${openDate ? `/${openDate}` : ''}`,
    },
    {
      id: 'cards',
      permission: 'customers:read',
      icon: CreditCard,
      count: expiring.data,
      text: (count) => `${counted(count, 'card')} on file ${count === 1 ? 'expires' : 'expire'} within 60 days`,
      to: '/customers?tab=expiring',
    },
  ];
  const readable = items.filter(({ permission }) => may(permission));
  return { items: readable, isKnown: readable.every(({ count }) => count !== undefined) };
}
