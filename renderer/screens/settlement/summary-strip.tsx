import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import { Link as RouterLink } from 'react-router';
import type { SettlementSummary } from '#renderer/client';
import { writeAmount } from '#renderer/money';
import { useMerchant } from '#renderer/session';
import { useTenantNow } from '#renderer/tenant-clock';
import { exactTime, MoneyText } from '#renderer/ui';
import { counted, timeUntilText } from './texts.ts';
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
  const { currency, unsettled, settledUnpaid, paidIn30Days } = summary;
  const hasFigures = unsettled.count + settledUnpaid.count + paidIn30Days.count > 0;
  return (
    <Box
      component="section"
      aria-label="Settlement summary"
      sx={(theme) => ({
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'center',
        columnGap: 8,
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
            name="Unsettled now"
            {...unsettled}
            noun="line"
            currency={currency}
            to={canSeeUnsettled ? { tab: 'unsettled' } : undefined}
          />
          <Figure
            name="Settled and unpaid"
            {...settledUnpaid}
            noun="settlement"
            currency={currency}
            to={{ tab: 'history', isNarrowed: true }}
          />
          <Figure
            name="Paid in last 30 days"
            {...paidIn30Days}
            noun="payout"
            currency={currency}
            to={{ tab: 'payouts', isNarrowed: true }}
          />
        </>
      )}
      <Box sx={{ ml: { md: 'auto' }, display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: 4, rowGap: 2 }}>
        <NextCutoff standing={summary} />
        {onChange && (
          <Button size="small" onClick={onChange} aria-label="Change schedule">
            {' '}
            Change schedule{' '}
          </Button>
        )}
      </Box>
    </Box>
  );
}

interface FigureProps {
  readonly name: string;
  readonly amount: number;
  readonly count: number;
  readonly noun: string;
  readonly currency: string;
  /** Address of the list of its parts. */
  readonly to: Partial<View> | undefined;
}

function Figure({ name, amount, count, noun, currency, to }: FigureProps) {
  const figure = <MoneyText amount={amount} currency={currency} code sx={{ fontSize: 20, lineHeight: '28px', fontWeight: 600 }} />;
  return (
    <Box data-figure={name}>
      <Box sx={{ fontSize: 12, color: 'text.secondary' }}>{name}</Box>
      {to ? (
        <Link
          component={RouterLink}
          to={{ pathname: '/settlement', search: searchOf(to) }}
          aria-label={`${name}: ${writeAmount(amount, currency)} ${currency}, ${counted(count, noun)}`}
        >
          {figure}
        </Link>
      ) : (
        figure
      )}
      <Box sx={{ fontSize: 12, color: 'text.secondary' }}>{counted(count, noun)}</Box>
    </Box>
  );
}

/** "Next cutoff in 5 h 12 min: 14 lines, 1,204.50". */
function NextCutoff({ standing: { unsettled, currency, nextCutoffAt } }: { standing: SettlementSummary }) {
  const { timezone } = useMerchant();
  const nowMs = useTenantNow(TICK_MS);
  const waiting =
    unsettled.count === 0
      ? 'nothing to settle yet'
      : `${counted(unsettled.count, 'line')}, ${writeAmount(unsettled.amount, currency).replace('-', '−')}`;
  if (nextCutoffAt === null) {
    return (
      <Box data-cutoff>
        <Box sx={{ fontWeight: 600 }}>Manual settlement: {waiting}</Box>
        <Box sx={{ fontSize: 12, color: 'text.secondary' }}>
          {unsettled.count === 0 ? 'Press Settle now after a sale.' : 'Nothing is settled until you press Settle now.'}
        </Box>
      </Box>
    );
  }
  return (
    <Box data-cutoff>
      <Box sx={{ fontWeight: 600 }}>
        Next cutoff in {timeUntilText(Date.parse(nextCutoffAt), nowMs)}: {waiting}
      </Box>
      <Box sx={{ fontSize: 12, color: 'text.secondary' }}>{exactTime(nextCutoffAt, timezone)}</Box>
    </Box>
  );
}
