import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import Tooltip from '@mui/material/Tooltip';
import { useQuery } from '@tanstack/react-query';
import { ChevronLeft, ChevronRight, Printer } from 'lucide-react';
import { useNavigate } from 'react-router';
import type { DailySummary } from '#renderer/client';
import { useIsSandbox, useMay, useMerchant } from '#renderer/session';
import { Answer, announce, EmptyNote, KeyHint, useShortcuts } from '#renderer/ui';
import { DayFigures } from './day-figures.tsx';
import { addDays, weekBefore, weekdayText } from './days.ts';
import { NeedsYou } from './needs-you.tsx';
import { daySummaryQuery } from './queries.ts';
import { declineText, othersText } from './report.ts';
import { ShareTable } from './share-table.tsx';
import { useClosePrint } from './use-close-print.ts';
import { useDay } from './use-view.ts';
import { brandText, methodText, typeText } from './words.ts';

/** Today: sales, their comparison, and items that need attention. Printed, it is the daily close. */
export function TodayTab({ today }: { today: string }) {
  const { merchantId } = useMerchant();
  const [day, setDay] = useDay(today);
  const summary = useQuery(daySummaryQuery(merchantId, day));
  const before = useQuery(daySummaryQuery(merchantId, weekBefore(day)));
  const printClose = useClosePrint();
  const isToday = day === today;
  const go = (next: string) => {
    if (next > today) return announce('No later day: it is today.');
    setDay(next);
    announce(weekdayText(next));
  };
  const print = () => summary.data && void printClose(summary.data, isToday);
  useShortcuts('Reports', [
    { keys: '[', label: 'Day before', run: () => go(addDays(day, -1)) },
    { keys: ']', label: 'Day after', run: () => go(addDays(day, 1)) },
    { keys: 'P', label: 'Print the daily close', run: print },
  ]);
  return (
    <Box sx={{ display: 'grid', gap: 5, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      <Box sx={{ display: 'flex', alignItems: 'center', flexWrap: 'wrap', gap: 2 }}>
        <Tooltip title="Day before: [">
          <IconButton aria-label="Day before" aria-keyshortcuts="[" onClick={() => go(addDays(day, -1))}>
            <ChevronLeft size={18} aria-hidden />
          </IconButton>
        </Tooltip>
        <Box component="h2" sx={{ m: 0, fontSize: 16, fontWeight: 600, minWidth: 112, textAlign: 'center' }}>
          {isToday ? 'Today so far' : weekdayText(day)}
        </Box>
        <Tooltip title="Day after: ]">
          <span>
            <IconButton aria-label="Day after" aria-keyshortcuts="]" disabled={isToday} onClick={() => go(addDays(day, 1))}>
              <ChevronRight size={18} aria-hidden />
            </IconButton>
          </span>
        </Tooltip>
        {!isToday && (
          <Button size="small" onClick={() => setDay(today)}>
            Back to today
          </Button>
        )}
        <Box sx={{ ml: 'auto' }}>
          <Button
            startIcon={<Printer size={16} aria-hidden />}
            endIcon={<KeyHint keys="P" />}
            aria-keyshortcuts="P"
            disabled={summary.data === undefined}
            onClick={print}
          >
            Print daily close
          </Button>
        </Box>
      </Box>
      <Answer of={summary}>
        {(data) => (
          <>
            <DayFigures summary={data} before={before.data} day={day} isToday={isToday} />
            {isToday && <NeedsYou today={today} />}
            {isNothing(data) ? <Nothing isToday={isToday} /> : <Parts summary={data} />}
          </>
        )}
      </Answer>
    </Box>
  );
}

const isNothing = ({ salesCount, refundsCount, voidsCount, declinedCount, byType }: DailySummary) =>
  salesCount + refundsCount + voidsCount + declinedCount === 0 && byType.every(({ count }) => count === 0);

/** Components of the day; each line links to its transactions. */
function Parts({ summary }: { summary: DailySummary }) {
  const canRead = useMay()('transactions:read');
  const { date, currency, byType, byMethod, byBrand, declines, otherCurrencies } = summary;
  const to = (filter: Record<string, string>) => (canRead ? `/transactions?${new URLSearchParams(filter)}` : undefined);
  const made = (filter: Record<string, string>) => to({ startDate: date, endDate: date, ...filter });
  // Sales stand under the day of their capture, whenever they were authorized.
  const captured = (filter: Record<string, string>) => to({ capturedFrom: date, capturedTo: date, ...filter });
  const typeAddress = (type: string) => {
    if (type === 'refund') return to({ refundedFrom: date, refundedTo: date });
    return type === 'credit' ? made({ type }) : captured({ type });
  };
  return (
    <>
      <Box sx={{ display: 'grid', gap: 4, gridTemplateColumns: 'repeat(auto-fit, minmax(min(100%, 232px), 1fr))', alignItems: 'start' }}>
        <ShareTable
          title="By type"
          currency={currency}
          rows={byType.map(({ key, ...sums }) => ({
            key,
            name: typeText(key),
            to: typeAddress(key),
            ...sums,
          }))}
        />
        <ShareTable
          title="Sales by method"
          currency={currency}
          rows={byMethod.map(({ key, ...sums }) => ({ key, name: methodText(key), to: captured({ paymentMethod: key }), ...sums }))}
        />
        <ShareTable
          title="Sales by brand"
          currency={currency}
          rows={byBrand.map(({ key, ...sums }) => ({ key, name: brandText(key), to: captured({ brand: key }), ...sums }))}
        />
        <ShareTable
          title="Declines"
          rows={declines.map(({ code, count }) => ({
            key: code,
            name: declineText(code),
            to: made({ status: 'declined', declineCode: code }),
            count,
          }))}
        />
      </Box>
      {otherCurrencies.length > 0 && (
        <Box sx={{ fontSize: 13, color: 'text.secondary' }}>Left out for their currency: {othersText(otherCurrencies)}.</Box>
      )}
    </>
  );
}

function Nothing({ isToday }: { isToday: boolean }) {
  const navigate = useNavigate();
  const isSandbox = useIsSandbox();
  const isHelped = useMay()('transactions:write') && isSandbox;
  return (
    <EmptyNote
      title={isToday ? 'Nothing taken yet today' : 'Nothing was taken on this day'}
      action={isHelped && isToday && <Button onClick={() => void navigate('/sell')}>Make a test sale</Button>}
    >
      {isHelped && isToday
        ? 'This is a sandbox: a sale with one of the test cards of the Sell screen appears here at once.'
        : 'Sales, refunds and declines of the day appear here as they are made.'}
    </EmptyNote>
  );
}
