import TextField from '@mui/material/TextField';
import { useState } from 'react';
import type { QueueEntryDetail } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { writeMoney } from '#renderer/base/money';
import { announce, PanelForm, ReasonField, SelectField, sendAfterUndo, sentenceCase, useSubmit } from '#renderer/kit/ui';
import { DateField } from '#renderer/session/date-entry';
import { cancel, refreshQueue, resolve } from './queries.ts';
import { REFUND_METHODS } from './texts.ts';

interface PanelProps {
  readonly entry: QueueEntryDetail;
  readonly onClose: () => void;
}

const NOTES_MAX = 1_000;

interface Closing {
  /** Text of the toast while the request waits for Undo. */
  readonly text: string;
  readonly done: string;
  readonly send: () => Promise<unknown>;
}

/**
 * Closes an entry. Its payment, its order and the ledger change, so that the service can't reverse it: a failed entry is closed when the time for Undo is over.
 * Another one is closed immediately, because its next automatic attempt could send the money while the request waits.
 */
function useClosing({ id, status }: QueueEntryDetail, onClose: () => void) {
  const closing = useSubmit({
    send: ({ send }: Closing) => send(),
    refresh: refreshQueue,
    announcement: (_, { done }) => done,
    onClose,
  });
  return {
    ...closing,
    onSubmit(request: Closing) {
      if (status !== 'failed') return closing.onSubmit(request);
      sendAfterUndo({ key: id, text: request.text, send: () => request.send().then(() => announce(request.done)), refresh: refreshQueue });
      onClose();
    },
  };
}

/** Records that the customer received the refund in another way. */
export function ResolvePanel({ entry, onClose }: PanelProps) {
  const closing = useClosing(entry, onClose);
  const [method, setMethod] = useState('check');
  const [date, setDate] = useState('');
  const [notes, setNotes] = useState('');
  const money = writeMoney(entry.amount, entry.currency);
  const submit = () => {
    const body = { refundMethod: method, ...(date && { refundDate: date }), ...(notes.trim() && { notes: notes.trim() }) };
    closing.onSubmit({
      text: t('Resolving the refund of {{money}}', { money }),
      done: t('Resolved. {{money}} counts as refunded.', { money }),
      send: () => resolve(entry.id, body),
    });
  };
  return (
    <PanelForm
      {...closing}
      title={t('Resolve refund')}
      explanation={t('Records that you refunded {{money}} outside the processor. It counts as refunded and isn’t part of a settlement.', {
        money,
      })}
      submitLabel={t('Resolve refund')}
      onSubmit={submit}
    >
      <SelectField
        id="resolve-method"
        label={t('Refund method')}
        value={method}
        options={Object.entries(REFUND_METHODS).map(([value, name]) => [value, sentenceCase(name)] as const)}
        onChange={setMethod}
        autoFocus
      />
      <DateField id="resolve-date" label={t('Date (today if blank)')} value={date} onChange={setDate} />
      <TextField
        id="resolve-notes"
        label={t('Notes (optional)')}
        value={notes}
        onChange={(event) => setNotes(event.target.value)}
        slotProps={{ htmlInput: { maxLength: NOTES_MAX, autoComplete: 'off' } }}
      />
    </PanelForm>
  );
}

/** Cancels the entry: no further attempts. */
export function CancelPanel({ entry, onClose }: PanelProps) {
  const closing = useClosing(entry, onClose);
  const [reason, setReason] = useState('');
  const [notes, setNotes] = useState('');
  const money = writeMoney(entry.amount, entry.currency);
  const submit = () => {
    const body = { ...(reason.trim() && { reason: reason.trim() }), ...(notes.trim() && { notes: notes.trim() }) };
    closing.onSubmit({
      text: t('Canceling the refund of {{money}}', { money }),
      done: t('Canceled. {{money}} can be refunded again.', { money }),
      send: () => cancel(entry.id, body),
    });
  };
  return (
    <PanelForm
      {...closing}
      title={t('Cancel refund')}
      explanation={t('It isn’t retried, and {{money}} can be refunded again. The customer receives nothing from this refund.', { money })}
      submitLabel={t('Cancel refund')}
      isDangerous
      onSubmit={submit}
    >
      <ReasonField value={reason} onChange={setReason} autoFocus />
      <TextField
        id="cancel-notes"
        label={t('Notes (optional)')}
        value={notes}
        onChange={(event) => setNotes(event.target.value)}
        slotProps={{ htmlInput: { maxLength: NOTES_MAX, autoComplete: 'off' } }}
      />
    </PanelForm>
  );
}
