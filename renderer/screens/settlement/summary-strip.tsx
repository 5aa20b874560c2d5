import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import { Link as RouterLink } from 'react-router';
import type { SettlementSummary } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { writeAmount } from '#renderer/base/money';
import { fullTime, MoneyText } from '#renderer/kit/ui';
import { useTenantNow } from '#renderer/session/tenant-clock';
import { useMerchant } from '#renderer/session/user';
import { timeUntilText, unpaidCountText } from './texts.ts';
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
  const hasFigures = unsettled.count + settledUnpaid.count + inTransit.count + paidIn30Days.count > 0;
  return (
    <Box
      component="section"
      aria-label={t('Settlement summary')}
      sx={(theme) => ({
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'center',
        columnGap: 5,
        rowGap: 3,
        px: 4,
        py: 3,
        border: `1px solid ${theme.vars.palette.divider}`,
        borderRadius: 1,
        backgroundColor: theme.vars.palette.background.paper,
      })}
    >
      {hasFigures && (
        <>
          <Figure
            name={t('Unsettled now')}
            amount={unsettled.amount}
            countText={t('{{count, number}} payments', { count: unsettled.count })}
            currency={currency}
            to={canSeeUnsettled ? { tab: 'unsettled' } : undefined}
          />
          <Figure
            name={t('Awaiting payout')}
            amount={settledUnpaid.amount}
            countText={unpaidCountText(settledUnpaid)}
            currency={currency}
            to={{ tab: 'history', isNarrowed: true }}
          />
          {inTransit.count > 0 && (
            <Figure
              name={t('On its way')}
              amount={inTransit.amount}
              countText={t('{{count, number}} payouts', { count: inTransit.count })}
              currency={currency}
              to={{ tab: 'payouts' }}
            />
          )}
          <Figure
            name={t('Paid in last 30 days')}
            amount={paidIn30Days.amount}
            countText={t('{{count, number}} payouts', { count: paidIn30Days.count })}
            currency={currency}
            to={{ tab: 'payouts', isNarrowed: true }}
          />
        </>
      )}
      <Box sx={{ marginInlineStart: { md: 'auto' }, display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: 4, rowGap: 2 }}>
        <NextCutoff standing={summary} />
        {onChange && (
          <Button size="small" onClick={onChange} aria-label={t('Change schedule')}>
            {t('Change schedule')}
          </Button>
        )}
      </Box>
    </Box>
  );
}

interface FigureProps {
  readonly name: string;
  readonly amount: number;
  /** Number of its parts. */
  readonly countText: string;
  readonly currency: string;
  /** Address of the list of its parts. */
  readonly to: Partial<View> | undefined;
}

function Figure({ name, amount, countText, currency, to }: FigureProps) {
  const figure = <MoneyText amount={amount} currency={currency} code sx={{ fontSize: 20, lineHeight: '28px', fontWeight: 600 }} />;
  return (
    <Box data-figure={name}>
      <Box sx={{ fontSize: 12, color: 'text.secondary' }}>{name}</Box>
      {to ? (
        <Link
          component={RouterLink}
          to={{ pathname: '/settlement', search: searchOf(to) }}
          aria-label={`${name}: ${writeAmount(amount, currency)} ${currency}, ${countText}`}
        >
          {figure}
        </Link>
      ) : (
        figure
      )}
      <Box sx={{ fontSize: 12, color: 'text.secondary' }}>{countText}</Box>
    </Box>
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
