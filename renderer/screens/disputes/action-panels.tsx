import MenuItem from '@mui/material/MenuItem';
import TextField from '@mui/material/TextField';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { DisputeDetail } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { writeMoney } from '#renderer/base/money';
import { announce, PanelForm } from '#renderer/kit/ui';
import { accept, conclude, type Outcome, refreshDisputes, saveNotes } from './queries.ts';

interface PanelProps {
  readonly dispute: DisputeDetail;
  readonly onClose: () => void;
}

const NOTES_MAX = 4_000;

/** Gives the dispute up. */
export function AcceptPanel({ dispute, onClose }: PanelProps) {
  const accepting = useMutation({
    mutationFn: () => accept(dispute.disputeId),
    onSuccess: () => {
      announce(t('Dispute accepted.'));
      onClose();
    },
    onSettled: () => refreshDisputes(),
  });
  return (
    <PanelForm
      title={t('Accept dispute')}
      explanation={t('The payer keeps {{amount}}. You can’t undo this.', { amount: writeMoney(dispute.amount, dispute.currency) })}
      submitLabel={t('Accept dispute')}
      isDangerous
      isBusy={accepting.isPending}
      failure={accepting.error}
      onSubmit={() => accepting.mutate()}
      onClose={onClose}
    >
      {null}
    </PanelForm>
  );
}

/** Returns the decisions and escalations that are possible now. */
function outcomesOf({ status, stage }: DisputeDetail): readonly (readonly [Outcome, string])[] {
  if (stage === 'retrieval')
    return [['chargeback', t('The payment was charged back')], ...(status === 'won' ? [] : [['won', t('The inquiry ended')] as const])];
  if (status === 'won') return [['prearbitration', t('Pre-arbitration was opened')]];
  const decided = [
    ['won', t('Won')],
    ['lost', t('Lost')],
  ] as const;
  if (status === 'submitted')
    return [...decided, ['prearbitration', t('Pre-arbitration was opened')], ['arbitration', t('Arbitration was opened')]];
  return status === 'prearbitration' ? [...decided, ['arbitration', t('Arbitration was opened')]] : decided;
}

/** Records what the bank decided or escalated. */
export function DecisionPanel({ dispute, onClose }: PanelProps) {
  const outcomes = outcomesOf(dispute);
  const [outcome, setOutcome] = useState<Outcome>(outcomes[0]?.[0] ?? 'won');
  const [fee, setFee] = useState('');
  const [returned, setReturned] = useState('');
  const isDecision = (outcome === 'won' || outcome === 'lost') && dispute.stage !== 'retrieval';
  const deciding = useMutation({
    mutationFn: () =>
      conclude(dispute.disputeId, {
        outcome,
        ...(fee.trim() && { feeAmount: fee.trim() }),
        ...(isDecision && returned.trim() && { returnedAmount: returned.trim() }),
      }),
    onSuccess: () => {
      announce(t('Decision recorded.'));
      onClose();
    },
    onSettled: () => refreshDisputes(),
  });
  return (
    <PanelForm
      title={t('Record decision')}
      explanation={t('Records the report of the bank or processor, and moves the money that it names.')}
      submitLabel={t('Record decision')}
      isBusy={deciding.isPending}
      failure={deciding.error}
      onSubmit={() => deciding.mutate()}
      onClose={onClose}
    >
      <TextField
        id="dispute-outcome"
        select
        label={t('Decision')}
        value={outcome}
        onChange={(event) => setOutcome(event.target.value as Outcome)}
        autoFocus
      >
        {outcomes.map(([value, name]) => (
          <MenuItem key={value} value={value}>
            {name}
          </MenuItem>
        ))}
      </TextField>
      {isDecision && (
        <TextField
          id="dispute-returned"
          label={t('Amount returned to you (optional)')}
          value={returned}
          onChange={(event) => setReturned(event.target.value)}
          helperText={
            outcome === 'won'
              ? t('If the bank accepted a part only. Without it, {{amount}}.', {
                  amount: writeMoney(dispute.withheldAmount, dispute.currency),
                })
              : t('If the bank returns a part nevertheless. Without it, nothing.')
          }
          slotProps={{ htmlInput: { inputMode: 'decimal', autoComplete: 'off' } }}
        />
      )}
      <TextField
        id="dispute-fee"
        label={t('Fee of the processor (optional)')}
        value={fee}
        onChange={(event) => setFee(event.target.value)}
        slotProps={{ htmlInput: { inputMode: 'decimal', autoComplete: 'off' } }}
      />
    </PanelForm>
  );
}

export function NotesPanel({ dispute, onClose }: PanelProps) {
  const [notes, setNotes] = useState(dispute.notes ?? '');
  const saving = useMutation({
    mutationFn: () => saveNotes(dispute.disputeId, notes),
    onSuccess: () => {
      announce(t('Notes saved.'));
      onClose();
    },
    onSettled: () => refreshDisputes(),
  });
  return (
    <PanelForm
      title={t('Notes')}
      explanation={t('For your team. Notes are not part of the evidence.')}
      submitLabel={t('Save notes')}
      isBusy={saving.isPending}
      failure={saving.error}
      onSubmit={() => saving.mutate()}
      onClose={onClose}
    >
      <TextField
        id="dispute-notes"
        label={t('Notes')}
        value={notes}
        onChange={(event) => setNotes(event.target.value)}
        multiline
        minRows={3}
        autoFocus
        slotProps={{ htmlInput: { maxLength: NOTES_MAX, autoComplete: 'off' } }}
      />
    </PanelForm>
  );
}
