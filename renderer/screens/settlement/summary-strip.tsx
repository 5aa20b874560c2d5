import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import { Link as RouterLink } from 'react-router';
import type { SettlementSummary } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { writeAmount } from '#renderer/base/money';
import { FigureStrip, fullTime, MoneyText } from '#renderer/kit/ui';
import { useTenantNow } from '#renderer/session/tenant-clock';
import { useMerchant } from '#renderer/session/user';
import { timeUntilText, unpaidCountText, unsettledPartsText } from './texts.ts';
import { searchOf, type View } from './use-view.ts';

const TICK_MS = 15_000;

interface SummaryStripProps {
  readonly summary: SettlementSummary;
  readonly canSeeUnsettled: boolean;
  /** Absent if the user may not change the schedule. */
  readonly onChange: (() => void) | undefined;
}

/** Balances, absent while all are zero, each with a link to its parts, and the next settlement. */
export function SummaryStrip({ summary, canSeeUnsettled, onChange }: SummaryStripProps) {
  const { currency, unsettled, settledUnpaid, inTransit, paidIn30Days } = summary;
  const figure = (name: string, amount: number, note: string, to: Partial<View> | undefined) => {
    const value = <MoneyText amount={amount} currency={currency} code />;
    const link = to && (
      <Link
        component={RouterLink}
        to={{ pathname: '/settlement', search: searchOf(to) }}
        aria-label={`${name}: ${writeAmount(amount, currency)} ${currency}, ${note}`}
      >
        {value}
      </Link>
    );
    return { name, value: link ?? value, note };
  };
  const payments = [t('{{count, number}} payments', { count: unsettled.count }), unsettledPartsText(summary)].filter(Boolean).join('. ');
  const payouts = (count: number) => t('{{count, number}} payouts', { count });
  const figures = [
    figure(t('Unsettled now'), unsettled.amount, payments, canSeeUnsettled ? { tab: 'unsettled' } : undefined),
    figure(t('Awaiting payout'), settledUnpaid.amount, unpaidCountText(settledUnpaid), { tab: 'history', isNarrowed: true }),
    ...(inTransit.count > 0 ? [figure(t('On its way'), inTransit.amount, payouts(inTransit.count), { tab: 'payouts' })] : []),
    figure(t('Paid in last 30 days'), paidIn30Days.amount, payouts(paidIn30Days.count), { tab: 'payouts', isNarrowed: true }),
  ];
  const hasFigures = unsettled.count + settledUnpaid.count + inTransit.count + paidIn30Days.count > 0;
  return (
    <FigureStrip label={t('Settlement summary')} figures={hasFigures ? figures : []}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: 4, rowGap: 2 }}>
        <NextCutoff standing={summary} />
        {onChange && (
          <Button size="small" onClick={onChange} aria-label={t('Change schedule')}>
            {t('Change schedule')}
          </Button>
        )}
      </Box>
    </FigureStrip>
  );
}

/** "Next cutoff in 5 h 12 min: 14 payments, 1,204.50". */
function NextCutoff({ standing: { unsettled, currency, nextCutoffAt } }: { standing: SettlementSummary }) {
  const { timezone } = useMerchant();
  const nowMs = useTenantNow(TICK_MS);
  const { count } = unsettled;
  const amount = writeAmount(unsettled.amount, currency).replace('-', '−');
  if (nextCutoffAt === null) {
    return (
      <Box data-cutoff>
        <Box sx={{ fontWeight: 600 }}>
          {count === 0
            ? t('Manual settlement: nothing to settle yet')
            : t('Manual settlement: {{count, number}} payments, {{amount}}', { count, amount })}
        </Box>
        <Box sx={{ fontSize: 12, color: 'text.secondary' }}>
          {count === 0 ? t('Press Settle now after a sale.') : t('Nothing is settled until you press Settle now.')}
        </Box>
      </Box>
    );
  }
  const duration = timeUntilText(Date.parse(nextCutoffAt), nowMs);
  return (
    <Box data-cutoff>
      <Box sx={{ fontWeight: 600 }}>
        {count === 0
          ? t('Next cutoff in {{duration}}: nothing to settle yet', { duration })
          : t('Next cutoff in {{duration}}: {{count, number}} payments, {{amount}}', { duration, count, amount })}
      </Box>
      <Box sx={{ fontSize: 12, color: 'text.secondary' }}>{fullTime(nextCutoffAt, timezone)}</Box>
    </Box>
  );
}
