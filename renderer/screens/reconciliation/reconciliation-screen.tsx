import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { ApiFailure, type Reconciliation } from '#renderer/base/client';
import { addMonths } from '#renderer/base/dates';
import { t } from '#renderer/base/language';
import { ChoiceButtons } from '#renderer/kit/choices';
import { MonthDays, MonthStrip } from '#renderer/kit/month';
import { PageActions } from '#renderer/kit/record';
import { announce, dayText, EmptyState, FailureNote, QueryContent, Screen, useShortcuts } from '#renderer/kit/ui';
import { SectionTabs } from '#renderer/screens/bank';
import { useToday } from '#renderer/session/tenant-clock';
import { useMay, useMe, useMerchant } from '#renderer/session/user';
import { neighbours } from './dates.ts';
import { DayHead } from './day-head.tsx';
import { ImportDialog } from './import-dialog.tsx';
import { LineList } from './line-list.tsx';
import { type CompareRequest, compareAgain, daysQuery, type MerchantScope, refreshReconciliation, reportQuery } from './queries.ts';
import { dayStatus, verdictOf } from './texts.ts';
import { addressOf, useView, type ViewInAddress } from './use-view.ts';

/** Settlements by day, compared with the processor's report or an imported file. */
export function ReconciliationScreen() {
  const merchant = useMerchant();
  const { user, merchants } = useMe();
  const may = useMay();
  const view = useView();
  const [isImporting, setImporting] = useState(false);
  const canSeeAll = user.merchantId === null && merchants.length > 1;
  const merchantScope = canSeeAll && view.isWhole ? undefined : merchant.merchantId;
  const report = useQuery(reportQuery(merchantScope, view.date));
  const today = useToday();
  const date = view.date ?? report.data?.date ?? today;
  const canWrite = may('settlement:write');
  const running = useMutation({
    mutationFn: (request: CompareRequest) => compareAgain(request),
    onSuccess: (after) => announce(`${t('Compared again.')} ${verdictOf(after).label}.`),
    onSettled: () => refreshReconciliation(),
  });
  const { importId } = report.data ?? {};
  const again = () => {
    if (!running.isPending) running.mutate({ date, merchantId: merchantScope, ...(importId && { importId }) });
  };
  // Another day may have been opened in the meantime.
  const isThisDay = running.variables?.date === date && running.variables.merchantId === merchantScope;
  const { before, after } = neighbours(date);
  useShortcuts(t('Reconciliation'), [
    { keys: '[', label: t('Previous day'), run: () => view.go({ date: before }) },
    { keys: ']', label: t('Next day'), run: () => view.go({ date: after }) },
  ]);
  return (
    <Screen
      title={t('Reconciliation')}
      fillsHeight
      subtitle={t('Compare your settlements with the processor’s reports.')}
      filter={<SectionTabs section="processor" />}
      actions={
        <PageActions
          group={t('Reconciliation')}
          actions={
            canWrite
              ? [
                  { keys: 'I', label: t('Import file'), run: () => setImporting(true) },
                  { keys: 'R', label: t('Compare again'), isBusy: running.isPending, run: again },
                  ...(importId
                    ? [{ label: t('Use the processor’s report'), run: () => running.mutate({ date, merchantId: merchantScope }) }]
                    : []),
                ]
              : []
          }
        >
          {canSeeAll && (
            <ChoiceButtons
              label={t('Merchants')}
              options={[
                ['one', merchant.name],
                ['all', t('All merchants')],
              ]}
              value={merchantScope === undefined ? 'all' : 'one'}
              onChange={(chosen) => view.go({ isWhole: chosen === 'all' })}
            />
          )}
        </PageActions>
      }
    >
      <ComparedMonth merchantScope={merchantScope} date={date} view={view} />
      {running.error && isThisDay && <FailureNote failure={running.error} onRetry={again} />}
      {isMissing(report.error) && !report.data ? (
        <FailureNote failure={report.error} onRetry={() => void report.refetch()}>
          <strong>{t('The processor’s report isn’t available.')}</strong>{' '}
          {t('{{day}} hasn’t been compared yet; no data is lost.', { day: dayText(date) })}
          {canWrite && ` ${t('Try again later, or import a file from the processor.')}`}
        </FailureNote>
      ) : (
        <QueryContent query={report} skeleton={<Comparing />}>
          {(data) => <Day report={data} view={view} today={today} isRunning={running.isPending && isThisDay} />}
        </QueryContent>
      )}
      {isImporting && (
        <ImportDialog
          merchantScope={merchantScope}
          date={date}
          onClose={() => setImporting(false)}
          onCompared={(compared) => {
            setImporting(false);
            announce(`${t('Compared with the file.')} ${verdictOf(compared).label}.`);
            if (compared.date !== date) view.go({ date: compared.date });
          }}
        />
      )}
    </Screen>
  );
}

const isMissing = (failure: Error | null): failure is ApiFailure =>
  failure instanceof ApiFailure && ['GATEWAY_ERROR', 'GATEWAY_UNAVAILABLE', 'GATEWAY_TIMEOUT'].includes(failure.code);

/** Shown while a day is compared for the first time, which may take a while. */
function Comparing() {
  return <EmptyState title={t('Comparing')}>{t('Paydesk compares its records of this day with the processor’s report.')}</EmptyState>;
}

interface DayProps {
  readonly report: Reconciliation;
  readonly view: ReturnType<typeof useView>;
  readonly today: string;
  readonly isRunning: boolean;
}

function Day({ report, view, today, isRunning }: DayProps) {
  const { runId, state, date } = report;
  return (
    <>
      <DayHead report={report} isRunning={isRunning} />
      {runId === null || state === 'unsettled' ? (
        <EmptyState
          title={t('No settlement on this day')}
          action={
            <Button component={Link} to="/settlement">
              {t('Open Settlement')}
            </Button>
          }
        >
          {date > today
            ? t('This day is in the future.')
            : date === today
              ? t('Captures are settled at the next cutoff, or when you press Settle now. They are compared after that.')
              : t('No settlement has this date, so there’s nothing to compare.')}
        </EmptyState>
      ) : (
        <LineList report={report} runId={runId} view={view} />
      )}
    </>
  );
}

const DAYS_PX = 48;

interface ComparedMonthProps {
  readonly merchantScope: MerchantScope;
  /** The selected day. */
  readonly date: string;
  readonly view: ViewInAddress;
}

/** State of each day of a month, with links. */
function ComparedMonth({ merchantScope, date, view }: ComparedMonthProps) {
  const [navigated, setNavigated] = useState<{ from: string; month: string }>();
  // Selecting a day of another month also changes the month.
  const month = navigated?.from === date ? navigated.month : date.slice(0, 7);
  const days = useQuery(daysQuery(merchantScope, month));
  return (
    <MonthStrip month={month} onMonth={(by) => setNavigated({ from: date, month: addMonths(month, by) })}>
      <QueryContent query={days} skeleton={<Box sx={{ height: DAYS_PX }} />}>
        {(data) => (
          <MonthDays
            month={month}
            chosen={date}
            days={data.map((day) => {
              const { state, text } = dayStatus(day);
              const to = addressOf({ ...view, date: day.date, page: 1, line: undefined });
              return { date: day.date, state, text, isBlank: state === 'unsettled', to };
            })}
          />
        )}
      </QueryContent>
    </MonthStrip>
  );
}
