import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import Tooltip from '@mui/material/Tooltip';
import { useQuery } from '@tanstack/react-query';
import { ChevronLeft, ChevronRight, Printer } from 'lucide-react';
import { useNavigate } from 'react-router';
import type { DailySummary } from '#renderer/base/client';
import { addDays } from '#renderer/base/dates';
import { t } from '#renderer/base/language';
import { announce, EmptyState, FigureStripSkeleton, NOT_PRINTED, QueryContent, useShortcuts } from '#renderer/kit/ui';
import { useIsSandbox, useMay, useMerchant } from '#renderer/session/user';
import { GiftCardFigures, useGiftCardFigures } from '#renderer/shared/gift-cards';
import { ParkedSalesQuestion } from '#renderer/shared/orders';
import { brandText, daySummaryQuery, isTender, methodText, typeText, weekBefore, weekdayText } from '#renderer/shared/reporting';
import { DayFigures } from './day-figures.tsx';
import { declineText } from './decline-text.ts';
import { DrawersOfDay } from './drawers-of-day.tsx';
import { includedParts } from './included-parts.ts';
import { othersText } from './report.ts';
import { ShareTable } from './share-table.tsx';
import { usePrintDailyClose } from './use-print-daily-close.ts';
import { useDay } from './use-view.ts';

/** The daily close: sales of a day by type, method and brand, with declines. */
export function DailyCloseTab({ today }: { today: string }) {
  const { merchantId } = useMerchant();
  const [day, setDay] = useDay(today);
  const summary = useQuery(daySummaryQuery(merchantId, day));
  const before = useQuery(daySummaryQuery(merchantId, weekBefore(day)));
  const giftCards = useGiftCardFigures({ merchantId, startDate: day, endDate: day });
  const printClose = usePrintDailyClose();
  const isToday = day === today;
  const go = (next: string) => {
    if (next > today) return announce(t('Today is the latest day.'));
    setDay(next);
    announce(weekdayText(next));
  };
  const print = () => summary.data && giftCards !== undefined && void printClose(summary.data, giftCards, isToday);
  useShortcuts(t('Reports'), [
    { keys: '[', label: t('Previous day'), run: () => go(addDays(day, -1)) },
    { keys: ']', label: t('Next day'), run: () => go(addDays(day, 1)) },
    { keys: 'P', label: t('Print the daily close'), run: print },
  ]);
  return (
    <Box sx={{ display: 'grid', gap: 5, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      <Box sx={{ display: 'flex', alignItems: 'center', flexWrap: 'wrap', gap: 2, ...NOT_PRINTED }}>
        <Tooltip title={`${t('Previous day')}: [`}>
          <IconButton aria-label={t('Previous day')} aria-keyshortcuts="[" onClick={() => go(addDays(day, -1))}>
            <ChevronLeft size={18} aria-hidden />
          </IconButton>
        </Tooltip>
        <Box component="h2" sx={{ m: 0, fontSize: 16, fontWeight: 600, minWidth: 112, textAlign: 'center' }}>
          {isToday ? t('Today so far') : weekdayText(day)}
        </Box>
        <Tooltip title={`${t('Next day')}: ]`}>
          <span>
            <IconButton aria-label={t('Next day')} aria-keyshortcuts="]" disabled={isToday} onClick={() => go(addDays(day, 1))}>
              <ChevronRight size={18} aria-hidden />
            </IconButton>
          </span>
        </Tooltip>
        {!isToday && (
          <Button size="small" onClick={() => setDay(today)}>
            {t('Back to today')}
          </Button>
        )}
        <Box sx={{ marginInlineStart: 'auto' }}>
          <Button
            startIcon={<Printer size={16} aria-hidden />}
            title="P"
            aria-keyshortcuts="P"
            disabled={summary.data === undefined || giftCards === undefined}
            onClick={print}
          >
            {t('Print daily close')}
          </Button>
        </Box>
      </Box>
      <QueryContent query={summary} skeleton={<FigureStripSkeleton />}>
        {(data) => (
          <>
            {isToday && (
              <Box sx={NOT_PRINTED}>
                <ParkedSalesQuestion />
              </Box>
            )}
            <DayFigures summary={data} before={before.data} day={day} isToday={isToday} />
            {isEmptyDay(data) ? <EmptyDay isToday={isToday} /> : <Breakdown summary={data} />}
            <GiftCardFigures merchantId={merchantId} startDate={day} endDate={day} />
          </>
        )}
      </QueryContent>
    </Box>
  );
}

const isEmptyDay = ({ salesCount, refundsCount, voidsCount, declinedCount, openAuthorizationsCount, byType, shifts }: DailySummary) =>
  salesCount + refundsCount + voidsCount + declinedCount + openAuthorizationsCount + shifts.openCount + shifts.closedCount === 0 &&
  byType.every(({ count }) => count === 0);

/** Components of the day; each line links to its transactions. */
function Breakdown({ summary }: { summary: DailySummary }) {
  const canRead = useMay()('transactions:read');
  const { date, currency, byType, byMethod, byBrand, declines, otherCurrencies } = summary;
  const to = (filter: Record<string, string>) => (canRead ? `/transactions?${new URLSearchParams(filter)}` : undefined);
  const createdAddress = (filter: Record<string, string>) => to({ startDate: date, endDate: date, ...filter });
  // Sales count on the day of their capture, whenever they were authorized.
  const capturedAddress = (filter: Record<string, string>) => to({ capturedFrom: date, capturedTo: date, ...filter });
  const cashAddress = useMay()('tenders:read') ? '/cash' : undefined;
  const methodAddress = (method: string) => (isTender(method) ? cashAddress : capturedAddress({ paymentMethod: method }));
  const typeAddress = (type: string) => {
    if (type === 'refund') return to({ refundedFrom: date, refundedTo: date });
    return type === 'credit' ? createdAddress({ type }) : capturedAddress({ type });
  };
  return (
    <>
      <Box sx={{ display: 'grid', gap: 4, gridTemplateColumns: 'repeat(auto-fit, minmax(min(100%, 232px), 1fr))', alignItems: 'start' }}>
        <ShareTable
          title={t('Payments by type')}
          currency={currency}
          rows={byType.map(({ key, ...sums }) => ({
            key,
            name: typeText(key),
            to: typeAddress(key),
            ...sums,
          }))}
        />
        <ShareTable
          title={t('Payments by method')}
          currency={currency}
          rows={byMethod.map(({ key, ...sums }) => ({ key, name: methodText(key), to: methodAddress(key), ...sums }))}
        />
        <ShareTable
          title={t('Payments by brand')}
          currency={currency}
          rows={byBrand.map(({ key, ...sums }) => ({
            key,
            name: brandText(key),
            to: isTender(key) ? cashAddress : capturedAddress({ brand: key }),
            ...sums,
          }))}
        />
        {includedParts(summary).length > 0 && (
          <ShareTable
            title={t('Included in sales')}
            currency={currency}
            rows={includedParts(summary).map(({ name, amount }) => ({ key: name, name, to: undefined, amount }))}
          />
        )}
        {summary.tipsByPerson.length > 0 && (
          <ShareTable
            title={t('Tips by person')}
            currency={currency}
            rows={summary.tipsByPerson.map(({ person, count, net }) => ({
              key: person ?? '',
              name: person ?? t('Not recorded'),
              to: undefined,
              count,
              amount: net,
            }))}
          />
        )}
        <ShareTable
          title={t('Declines')}
          rows={declines.map(({ code, count }) => ({
            key: code,
            name: declineText(code),
            to: createdAddress({ status: 'declined', declineCode: code }),
            count,
          }))}
        />
      </Box>
      <DrawersOfDay summary={summary} />
      {otherCurrencies.length > 0 && (
        <Box sx={{ fontSize: 13, color: 'text.secondary' }}>
          {t('Not included: {{payments}}.', { payments: othersText(otherCurrencies) })}
        </Box>
      )}
    </>
  );
}

function EmptyDay({ isToday }: { isToday: boolean }) {
  const navigate = useNavigate();
  const isSandbox = useIsSandbox();
  const showsHint = useMay()('transactions:write') && isSandbox;
  return (
    <EmptyState
      title={isToday ? t('No activity yet today') : t('No activity on this day')}
      action={showsHint && isToday && <Button onClick={() => void navigate('/sell')}>{t('Make a test sale')}</Button>}
    >
      {showsHint && isToday
        ? t('Make a sale with a test card on the Sell screen; it appears here immediately.')
        : t('Sales, refunds and declines of the day appear here.')}
    </EmptyState>
  );
}
