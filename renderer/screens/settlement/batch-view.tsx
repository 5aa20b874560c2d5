import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import TextField from '@mui/material/TextField';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { Link as RouterLink } from 'react-router';
import { type ApiFailure, type BatchPayout, useMoneyMutation } from '#renderer/client';
import { writeMoney } from '#renderer/money';
import { useMay, useMerchant } from '#renderer/session';
import {
  announce,
  CopyText,
  Entry,
  exactTime,
  FactList,
  FailureNote,
  KeyHint,
  PanelForm,
  QueryContent,
  RecordHeader,
  Section,
  showToast,
  useHeadingFocus,
  usePanel,
  useShortcuts,
} from '#renderer/ui';
import { periodText } from './columns.tsx';
import { EntryList } from './entry-list.tsx';
import { concludeBatch, saveBatch } from './operations.ts';
import { batchQuery, refreshSettlement } from './queries.ts';
import type { OpenedProps } from './settlement-view.tsx';
import { Sum } from './sum.tsx';
import { counted } from './texts.ts';

const NOTE_MAX = 500;

/** One batch: total, status, bank result, and its settlements. */
export function BatchView({ id, takesFocus, search }: OpenedProps) {
  const batch = useQuery(batchQuery(id));
  return <QueryContent query={batch}>{(data) => <Opened batch={data} takesFocus={takesFocus} search={search} />}</QueryContent>;
}

function Opened({ batch, takesFocus, search }: { batch: BatchPayout } & Omit<OpenedProps, 'id'>) {
  const { timezone } = useMerchant();
  const heading = useHeadingFocus(takesFocus);
  const { batchId, currency, status, totalAmount, fees, netAmount, transactionCount, note, paidAt, createdAt, settlementIds } = batch;
  return (
    <Box sx={{ display: 'grid', gap: 6 }}>
      <RecordHeader amount={netAmount} currency={currency} status={status} headingRef={heading}>
        <span>Batch of {periodText(batch.startDate, batch.endDate)}</span>
      </RecordHeader>
      <BatchActions batch={batch} onPanelClosed={() => heading.current?.focus()} />
      <Sum
        label="Net calculation"
        currency={currency}
        parts={[
          { name: 'Settled amounts', amount: totalAmount },
          { name: 'Fees', amount: fees, isLess: true },
          { name: 'Net', amount: netAmount, isTotal: true },
        ]}
      />
      <FactList
        facts={[
          ['Reference', <CopyText key="reference" text={batch.reference} label="Reference" />],
          ['Next step', NEXT_STEPS[status]],
          ['Contents', `${counted(settlementIds.length, 'settlement')}, ${counted(transactionCount, 'transaction')}`],
          ['Created', exactTime(createdAt, timezone)],
          ['Paid', paidAt && exactTime(paidAt, timezone)],
          ['Note', note],
          ['Batch ID', <CopyText key="id" text={batchId} label="Batch ID" />],
        ]}
      />
      <Section title="Settlements">
        <EntryList>
          {settlementIds.map((settlementId) => (
            <Entry key={settlementId}>
              <Link component={RouterLink} to={{ pathname: `/settlement/${settlementId}`, search }}>
                <span className="mono">{settlementId}</span>
              </Link>
            </Entry>
          ))}
        </EntryList>
      </Section>
    </Box>
  );
}

const NEXT_STEPS: Readonly<Record<string, string>> = {
  pending: 'Goes to the bank tomorrow, and is paid the day after',
  processing: 'At the bank; paid tomorrow unless you record a different result',
  failed: 'Its settlements are unpaid again',
};

type Outcome = 'paid' | 'failed';

/** CSV export of a batch, and recording of the bank's result if it is still open. */
function BatchActions({ batch, onPanelClosed }: { batch: BatchPayout; onPanelClosed: () => void }) {
  const mayWrite = useMay()('settlement:write');
  const { panel, open, closeHandler } = usePanel<Outcome>(onPanelClosed);
  const isOpen = batch.status === 'pending' || batch.status === 'processing';
  const canConclude = isOpen && mayWrite;
  const saving = useMutation<void, ApiFailure>({
    mutationFn: () => saveBatch(batch.batchId),
    onSuccess: () => showToast('Batch saved as CSV'),
  });
  const save = () => !saving.isPending && saving.mutate();
  useShortcuts('This batch', [
    { keys: 'X', label: 'Export CSV', run: save },
    ...(canConclude
      ? [
          { keys: 'P', label: 'Record as paid', run: () => open('paid') },
          { keys: 'F', label: 'Record as failed', run: () => open('failed') },
        ]
      : []),
  ]);
  return (
    <>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2 }}>
        {canConclude && (
          <>
            <Button onClick={() => open('paid')} aria-expanded={panel === 'paid'} aria-keyshortcuts="P" endIcon={<KeyHint keys="P" />}>
              {' '}
              Record as paid{' '}
            </Button>
            <Button onClick={() => open('failed')} aria-expanded={panel === 'failed'} aria-keyshortcuts="F" endIcon={<KeyHint keys="F" />}>
              {' '}
              Record as failed{' '}
            </Button>
          </>
        )}
        <Button
          startIcon={<Download size={16} aria-hidden />}
          endIcon={<KeyHint keys="X" />}
          aria-keyshortcuts="X"
          onClick={save}
          loading={saving.isPending}
          loadingPosition="start"
        >
          Export CSV
        </Button>
      </Box>
      {saving.error && <FailureNote failure={saving.error} onRetry={save} />}
      {canConclude && panel && <ConcludePanel key={panel} batch={batch} outcome={panel} onClose={closeHandler(panel)} />}
    </>
  );
}

function ConcludePanel({ batch, outcome, onClose }: { batch: BatchPayout; outcome: Outcome; onClose: () => void }) {
  const [note, setNote] = useState('');
  const money = writeMoney(batch.netAmount, batch.currency);
  const concluding = useMoneyMutation((noteText: string, key) => concludeBatch(batch.batchId, outcome, noteText, key), {
    onSuccess: async () => {
      await refreshSettlement();
      announce(outcome === 'paid' ? `Recorded: ${money} is paid.` : 'Recorded: the batch failed. Its settlements are unpaid again.');
      onClose();
    },
    onError: () => void refreshSettlement(),
  });
  return (
    <PanelForm
      title={outcome === 'paid' ? 'Record as paid' : 'Record batch as failed'}
      explanation={
        outcome === 'paid'
          ? `Records that ${money} reached the bank. You can’t undo this.`
          : `The ${counted(batch.settlementIds.length, 'settlement')} in this batch become unpaid again. You can’t undo this.`
      }
      submitLabel={outcome === 'paid' ? `Record ${money} as paid` : 'Record batch as failed'}
      isDangerous={outcome === 'failed'}
      isBusy={concluding.isPending}
      failure={concluding.error}
      onSubmit={() => concluding.mutate(note.trim())}
      onClose={onClose}
    >
      <TextField
        id="batch-note"
        label="Note, optional"
        value={note}
        autoFocus
        onChange={({ target }) => setNote(target.value)}
        slotProps={{ htmlInput: { maxLength: NOTE_MAX, autoComplete: 'off', readOnly: concluding.error?.isUnconfirmed === true } }}
      />
    </PanelForm>
  );
}
