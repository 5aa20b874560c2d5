import Box from '@mui/material/Box';
import TextField from '@mui/material/TextField';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ApiFailure, BatchPayoutDetail } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { writeMoney } from '#renderer/base/money';
import { RecordActions, RecordHeader } from '#renderer/kit/record';
import {
  CopyText,
  FactList,
  FailureNote,
  fullTime,
  PanelForm,
  QueryContent,
  Section,
  showToast,
  useHeadingFocus,
  usePanel,
  useSubmit,
} from '#renderer/kit/ui';
import { useMay, useMerchant } from '#renderer/session/user';
import { periodText } from './columns.tsx';
import { EntryList } from './entry-list.tsx';
import { concludeBatch, saveBatch } from './operations.ts';
import { batchQuery, refreshSettlement } from './queries.ts';
import { SettlementEntry } from './settlement-entry.tsx';
import type { OpenedProps } from './settlement-view.tsx';
import { Sum } from './sum.tsx';

const NOTE_MAX = 500;

/** One batch: total, status, bank result, and its settlements. */
export function BatchView({ id, takesFocus, search }: OpenedProps) {
  const batch = useQuery(batchQuery(id));
  return <QueryContent query={batch}>{(data) => <Opened batch={data} takesFocus={takesFocus} search={search} />}</QueryContent>;
}

function Opened({ batch, takesFocus, search }: { batch: BatchPayoutDetail } & Omit<OpenedProps, 'id'>) {
  const { timezone } = useMerchant();
  const heading = useHeadingFocus(takesFocus);
  const { batchId, currency, status, totalAmount, fees, netAmount, transactionCount, note, paidAt, createdAt, settlementIds } = batch;
  return (
    <Box sx={{ display: 'grid', gap: 6 }}>
      <RecordHeader title={{ amount: netAmount, currency: currency }} status={status} of="payout" headingRef={heading}>
        <span>{t('Payout of {{period}}', { period: periodText(batch.startDate, batch.endDate) })}</span>
      </RecordHeader>
      <BatchActions batch={batch} onPanelClosed={() => heading.current?.focus()} />
      <Sum
        label={t('Net calculation')}
        currency={currency}
        parts={[
          { name: t('Settled amounts'), amount: totalAmount },
          { name: t('Fees'), amount: fees, isLess: true },
          { name: t('Net'), amount: netAmount, isTotal: true },
        ]}
      />
      <FactList
        facts={[
          [t('Reference'), <CopyText key="reference" text={batch.reference} label={t('Reference')} />],
          [t('Next step'), NEXT_STEPS[status]],
          [
            t('Contents'),
            `${t('{{count, number}} settlements', { count: settlementIds.length })}, ${t('{{count, number}} transactions', { count: transactionCount })}`,
          ],
          [t('Created'), fullTime(createdAt, timezone)],
          [t('Paid'), paidAt && fullTime(paidAt, timezone)],
          [t('Note'), note],
          [t('Batch ID'), <CopyText key="id" text={batchId} label={t('Batch ID')} />],
        ]}
      />
      <Section title={t('Settlements')}>
        <EntryList>
          {settlementIds.map((settlementId) => (
            <SettlementEntry key={settlementId} settlementId={settlementId} search={search} />
          ))}
        </EntryList>
      </Section>
    </Box>
  );
}

const NEXT_STEPS: Readonly<Record<string, string>> = {
  pending: t('Goes to the bank tomorrow, and is paid the day after'),
  processing: t('At the bank; paid tomorrow unless you record a different result'),
  failed: t('Its settlements are unpaid again'),
};

type Outcome = 'paid' | 'failed';

/** CSV export of a batch, and recording of the bank's result if it is still open. */
function BatchActions({ batch, onPanelClosed }: { batch: BatchPayoutDetail; onPanelClosed: () => void }) {
  const may = useMay();
  const mayExport = may('settlement:export');
  const { panel, open, closeHandler } = usePanel<Outcome>(onPanelClosed);
  const canConclude = batch.actions.conclude.allowed;
  const saving = useMutation<void, ApiFailure>({
    mutationFn: () => saveBatch(batch.batchId),
    onSuccess: () => showToast(t('Batch saved as CSV')),
  });
  const save = () => !saving.isPending && saving.mutate();
  return (
    <>
      <RecordActions
        group={t('This batch')}
        actions={[
          ...(canConclude
            ? [
                { label: t('Record as paid'), keys: 'P', isOpen: panel === 'paid', run: () => open('paid') },
                { label: t('Record as failed'), keys: 'F', isOpen: panel === 'failed', run: () => open('failed'), isDangerous: true },
              ]
            : []),
          ...(mayExport ? [{ label: t('Export CSV'), keys: 'X', isBusy: saving.isPending, run: save }] : []),
        ]}
      />
      {saving.error && <FailureNote failure={saving.error} onRetry={save} />}
      {canConclude && panel && <ConcludePanel key={panel} batch={batch} outcome={panel} onClose={closeHandler(panel)} />}
    </>
  );
}

function ConcludePanel({ batch, outcome, onClose }: { batch: BatchPayoutDetail; outcome: Outcome; onClose: () => void }) {
  const [note, setNote] = useState('');
  const amount = writeMoney(batch.netAmount, batch.currency);
  const concluding = useSubmit({
    send: (_, key) => concludeBatch(batch.batchId, outcome, note.trim(), key),
    refreshFirst: refreshSettlement,
    announcement:
      outcome === 'paid'
        ? t('Recorded: {{amount}} is paid.', { amount })
        : t('Recorded: the batch failed. Its settlements are unpaid again.'),
    onClose,
  });
  return (
    <PanelForm
      {...concluding}
      title={outcome === 'paid' ? t('Record as paid') : t('Record batch as failed')}
      explanation={
        outcome === 'paid'
          ? t('Records that {{amount}} reached the bank. You can’t undo this.', { amount })
          : t('The {{count, number}} settlements in this batch become unpaid again. You can’t undo this.', {
              count: batch.settlementIds.length,
            })
      }
      submitLabel={outcome === 'paid' ? t('Record {{amount}} as paid', { amount }) : t('Record batch as failed')}
      isDangerous={outcome === 'failed'}
    >
      <TextField
        id="batch-note"
        label={t('Note (optional)')}
        value={note}
        autoFocus
        onChange={({ target }) => setNote(target.value)}
        slotProps={{ htmlInput: { maxLength: NOTE_MAX, autoComplete: 'off', readOnly: concluding.failure?.isUnconfirmed === true } }}
      />
    </PanelForm>
  );
}
