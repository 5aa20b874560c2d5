import TextField from '@mui/material/TextField';
import { type ReactNode, useState } from 'react';
import type { DisputeDetail, DisputeEvidence } from '#renderer/base/client';
import { serviceText, t } from '#renderer/base/language';
import { writeMoney } from '#renderer/base/money';
import { dayText, PanelForm, SelectField, useSubmit } from '#renderer/kit/ui';
import { accept, conclude, type Outcome, refreshDisputes, reopen, saveNotes, submit } from './queries.ts';

interface PanelProps {
  readonly dispute: DisputeDetail;
  readonly onClose: () => void;
}

const NOTES_MAX = 4_000;

interface StepPanelProps {
  readonly title: string;
  readonly explanation: ReactNode;
  readonly isDangerous?: boolean;
  readonly run: () => Promise<unknown>;
  readonly done: string;
  readonly onClose: () => void;
}

/** Step of a dispute without input, after a text about its effect. */
function StepPanel({ run, done, ...step }: StepPanelProps) {
  const form = useSubmit({ send: run, refresh: refreshDisputes, announcement: done, onClose: step.onClose });
  return <PanelForm {...form} {...step} submitLabel={step.title} focusesSubmit />;
}

/** Gives the dispute up. */
export const AcceptPanel = ({ dispute, onClose }: PanelProps) => (
  <StepPanel
    title={t('Accept dispute')}
    explanation={t('The payer keeps {{amount}}. You can’t undo this.', { amount: writeMoney(dispute.amount, dispute.currency) })}
    isDangerous
    run={() => accept(dispute.disputeId)}
    done={t('Dispute accepted.')}
    onClose={onClose}
  />
);

/** Records that the evidence was sent to the acquirer; names what is missing. */
export function SubmitPanel({ dispute, evidence, onClose }: PanelProps & { readonly evidence: DisputeEvidence | undefined }) {
  const pack = evidence?.packs[0];
  const missing = evidence?.checklist.filter(({ state }) => state === 'missing').map(({ label }) => serviceText(label)) ?? [];
  return (
    <StepPanel
      title={t('Mark as submitted')}
      explanation={
        <>
          {t(
            'Records that you sent the evidence to your acquirer. Paydesk sends nothing. Reminders stop, and no evidence can be added unless you reopen the dispute by {{due}}.',
            { due: dayText(dispute.dueDate) },
          )}
          {!pack && <p>{t('No evidence pack was created.')}</p>}
          {missing.length > 0 && <p>{t('Missing evidence: {{items}}.', { items: missing.join(', ') })}</p>}
        </>
      }
      run={() => submit(dispute.disputeId, pack?.packId)}
      done={t('Recorded as submitted.')}
      onClose={onClose}
    />
  );
}

/** Takes a recorded submission back. */
export const ReopenPanel = ({ dispute, onClose }: PanelProps) => (
  <StepPanel
    title={t('Reopen dispute')}
    explanation={t('The dispute awaits a response again, by {{due}}. Evidence can be added until it is marked as submitted.', {
      due: dayText(dispute.dueDate),
    })}
    run={() => reopen(dispute.disputeId)}
    done={t('Dispute reopened.')}
    onClose={onClose}
  />
);

const OUTCOMES: Readonly<Record<Outcome, string>> = {
  won: t('Won'),
  lost: t('Lost'),
  chargeback: t('The payment was charged back'),
  prearbitration: t('Pre-arbitration was opened'),
  arbitration: t('Arbitration was opened'),
};

/** Returns the decisions and escalations that the service accepts now. */
const outcomesOf = ({ actions, stage }: DisputeDetail): readonly (readonly [Outcome, string])[] =>
  (actions.conclude.choices ?? []).map((choice) => {
    const outcome = choice as Outcome;
    return [outcome, outcome === 'won' && stage === 'retrieval' ? t('The inquiry ended') : OUTCOMES[outcome]];
  });

/** Records what the bank decided or escalated. */
export function DecisionPanel({ dispute, onClose }: PanelProps) {
  const outcomes = outcomesOf(dispute);
  const [outcome, setOutcome] = useState<Outcome>(outcomes[0]?.[0] ?? 'won');
  const [fee, setFee] = useState('');
  const [returned, setReturned] = useState('');
  const isDecision = (outcome === 'won' || outcome === 'lost') && dispute.stage !== 'retrieval';
  const form = useSubmit({
    send: () =>
      conclude(dispute.disputeId, {
        outcome,
        ...(fee.trim() && { feeAmount: fee.trim() }),
        ...(isDecision && returned.trim() && { returnedAmount: returned.trim() }),
      }),
    refresh: refreshDisputes,
    announcement: t('Decision recorded.'),
    onClose,
  });
  return (
    <PanelForm
      {...form}
      title={t('Record decision')}
      explanation={t('Records the report of the bank or processor, and moves the money that it names.')}
      submitLabel={t('Record decision')}
    >
      <SelectField id="dispute-outcome" label={t('Decision')} value={outcome} options={outcomes} onChange={setOutcome} autoFocus />
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
  const form = useSubmit({
    send: () => saveNotes(dispute.disputeId, notes),
    refresh: refreshDisputes,
    announcement: t('Notes saved.'),
    onClose,
  });
  return (
    <PanelForm
      {...form}
      title={t('Notes')}
      explanation={t('For your team. Notes are not part of the evidence.')}
      submitLabel={t('Save notes')}
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
