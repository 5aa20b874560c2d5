import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import ToggleButton from '@mui/material/ToggleButton';
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { ApiFailure, type Reconciliation } from '#renderer/client';
import { useMay, useMe, useMerchant } from '#renderer/session';
import { useToday } from '#renderer/tenant-clock';
import { Answer, announce, dayText, EmptyNote, FailureNote, KeyHint, Screen, useShortcuts } from '#renderer/ui';
import { DayHead } from './day-head.tsx';
import { ImportDialog } from './import-dialog.tsx';
import { LineList } from './line-list.tsx';
import { MonthStrip, neighbours } from './month-strip.tsx';
import { refreshReconciliation, reportQuery, runAgain, type Wanted } from './queries.ts';
import { useView } from './use-view.ts';
import { verdictOf } from './words.ts';

/** Our settlements by day, compared with the processor's report or a file (experience 2.11). */
export function ReconciliationScreen() {
  const merchant = useMerchant();
  const { user, merchants } = useMe();
  const may = useMay();
  const view = useView();
  const [isImporting, setImporting] = useState(false);
  const canSeeAll = user.merchantId === null && merchants.length > 1;
  const whose = canSeeAll && view.isWhole ? undefined : merchant.merchantId;
  const report = useQuery(reportQuery(whose, view.date));
  const today = useToday();
  const date = view.date ?? report.data?.date ?? today;
  const canWrite = may('settlement:write');
  const running = useMutation({
    mutationFn: (wanted: Wanted) => runAgain(wanted),
    onSuccess: (after) => announce(`Compared again. ${verdictOf(after).word}.`),
    onSettled: () => refreshReconciliation(),
  });
  const { importId } = report.data ?? {};
  const again = () => {
    if (!running.isPending) running.mutate({ date, merchantId: whose, ...(importId && { importId }) });
  };
  // Another day may have been opened in the meantime.
  const isOfDay = running.variables?.date === date && running.variables.merchantId === whose;
  const { before, after } = neighbours(date);
  useShortcuts('Reconciliation', [
    ...(canWrite
      ? [
          { keys: 'R', label: 'Compare again', run: again },
          { keys: 'I', label: 'Import a file', run: () => setImporting(true) },
        ]
      : []),
    { keys: '[', label: 'The day before', run: () => view.go({ date: before }) },
    { keys: ']', label: 'The day after', run: () => view.go({ date: after }) },
  ]);
  return (
    <Screen
      title="Reconciliation"
      isFilling
      facts="What we settled, day by day, against what the processor reports."
      actions={
        <>
          {canSeeAll && (
            <ToggleButtonGroup
              exclusive
              size="small"
              value={whose === undefined ? 'all' : 'one'}
              onChange={(_, chosen: string | null) => chosen && view.go({ isWhole: chosen === 'all' })}
              aria-label="Whose lines"
            >
              <ToggleButton value="one">{merchant.name}</ToggleButton>
              <ToggleButton value="all">All merchants</ToggleButton>
            </ToggleButtonGroup>
          )}
          {canWrite && importId && (
            <Button variant="text" disabled={running.isPending} onClick={() => running.mutate({ date, merchantId: whose })}>
              Use the processor's report
            </Button>
          )}
          {canWrite && (
            <>
              <Button onClick={again} loading={running.isPending} endIcon={<KeyHint keys="R" />} aria-keyshortcuts="R">
                Compare again
              </Button>
              <Button onClick={() => setImporting(true)} endIcon={<KeyHint keys="I" />} aria-keyshortcuts="I">
                Import a file
              </Button>
            </>
          )}
        </>
      }
    >
      <Box sx={{ display: 'flex', flexDirection: 'column', gap: 4, flex: 1, minHeight: 0 }}>
        <MonthStrip whose={whose} date={date} view={view} />
        {running.error && isOfDay && <FailureNote failure={running.error} onRetry={again} />}
        {isMissing(report.error) && !report.data ? (
          <FailureNote failure={report.error} onRetry={() => void report.refetch()}>
            <strong>The processor's report is missing.</strong> Nothing of {dayText(date)} is compared yet, and nothing is lost.
            {canWrite && ' Try again later, or import a file of the processor.'}
          </FailureNote>
        ) : (
          <Answer of={report} skeleton={<Comparing />}>
            {(data) => <Day report={data} view={view} today={today} isRunning={running.isPending && isOfDay} />}
          </Answer>
        )}
      </Box>
      {isImporting && (
        <ImportDialog
          whose={whose}
          date={date}
          onClose={() => setImporting(false)}
          onCompared={(compared) => {
            setImporting(false);
            announce(`Compared with the file. ${verdictOf(compared).word}.`);
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
  return <EmptyNote title="Comparing">Both sides of the day are read and compared, line by line.</EmptyNote>;
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
        <EmptyNote
          title="Nothing is settled for this day"
          action={
            <Button component={Link} to="/settlement">
              Open Settlement
            </Button>
          }
        >
          {date > today
            ? 'This day is still to come.'
            : date === today
              ? 'What is captured is settled at the next cutoff, or at once by hand. It is compared then.'
              : 'No settlement carries this date, so there is nothing to compare.'}
        </EmptyNote>
      ) : (
        <LineList report={report} runId={runId} view={view} />
      )}
    </>
  );
}
