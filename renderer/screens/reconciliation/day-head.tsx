import Box from '@mui/material/Box';
import LinearProgress from '@mui/material/LinearProgress';
import Typography from '@mui/material/Typography';
import type { Reconciliation } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { MoneyText, StatusChip, TimeText } from '#renderer/kit/ui';
import { useMerchant } from '#renderer/session/user';
import { longDayText } from './dates.ts';
import { unexplainedText, verdictOf } from './texts.ts';

/** A day: state, our total, the processor's total, and the difference. */
export function DayHead({ report, isRunning }: { report: Reconciliation; isRunning: boolean }) {
  const { state, label } = verdictOf(report);
  const { discrepancyCount, openCount, date, totals } = report;
  const isPartly = state === 'out' && (openCount < discrepancyCount || totals.some(({ difference }) => difference !== 0));
  return (
    <Box
      component="section"
      aria-label={t('Result of the day')}
      sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 8, rowGap: 2, alignItems: 'flex-end' }}
    >
      <Box sx={{ flex: 1, minWidth: 220 }}>
        <Typography variant="h2">{longDayText(date)}</Typography>
        <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 2, mt: 1, fontSize: 13, color: 'text.secondary' }}>
          <StatusChip state={state} label={label} />
          {isPartly && (
            <span>
              {unexplainedText(openCount)}
              {openCount < discrepancyCount && `, ${t('{{count, number}} explained', { count: discrepancyCount - openCount })}`}
            </span>
          )}
          <Source report={report} />
        </Box>
      </Box>
      {report.runId !== null && <Totals report={report} />}
      {isRunning && (
        <Box role="progressbar" aria-label={t('Comparing')} sx={{ width: '100%' }}>
          <LinearProgress aria-hidden sx={{ height: 3 }} />
        </Box>
      )}
    </Box>
  );
}

/** Source and time of the comparison. */
function Source({ report: { source, createdAt } }: { report: Reconciliation }) {
  const { timezone } = useMerchant();
  if (createdAt === null) return null;
  return (
    <span>
      {source === 'import' ? t('Compared with an imported file') : t('Compared with the processor’s report')},{' '}
      <TimeText at={createdAt} timeZone={timezone} />
    </span>
  );
}

/** Totals of both sides, one row per currency. */
function Totals({ report: { totals, currency, source, transactionsTotal, settlementsTotal } }: { report: Reconciliation }) {
  const rows = totals.length > 0 ? totals : [{ currency, transactionsTotal, settlementsTotal, difference: 0 }];
  const isOne = rows.length === 1 && rows[0]?.currency === currency;
  const head = (text: string) => (
    <Box component="th" scope="col" sx={{ fontSize: 12, lineHeight: '16px', fontWeight: 550, color: 'text.secondary', textAlign: 'end' }}>
      {text}
      {isOne && `, ${currency}`}
    </Box>
  );
  return (
    <Box
      component="table"
      aria-label={t('Totals')}
      sx={{
        borderCollapse: 'collapse',
        '& th, & td': { py: 0, paddingInlineStart: { xs: 3, sm: 6 }, textAlign: 'end' },
        '& th:first-of-type, & td:first-of-type': { paddingInlineStart: 0 },
        '& td': { fontSize: rows.length === 1 ? 20 : 14, lineHeight: rows.length === 1 ? '28px' : '22px', fontWeight: 600 },
      }}
    >
      <thead>
        <tr>
          {head('Paydesk')}
          {head(t('Difference'))}
          {head(source === 'import' ? t('File') : t('Processor'))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.currency}>
            <td>
              <MoneyText amount={row.transactionsTotal} currency={row.currency} code={!isOne} />
            </td>
            <td>{row.difference === 0 ? '–' : <MoneyText amount={row.difference} currency={row.currency} code={!isOne} />}</td>
            <td>
              <MoneyText amount={row.settlementsTotal} currency={row.currency} code={!isOne} />
            </td>
          </tr>
        ))}
      </tbody>
    </Box>
  );
}
