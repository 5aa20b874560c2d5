import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Approval, queryClient } from '#renderer/base/client';
import { serviceText, t } from '#renderer/base/language';
import { actorText, Dialog, FactList, FailureNote, focusField, keyTip, MoneyText, showToast, useShortcuts } from '#renderer/kit/ui';
import { paymentFact, requestsOfDayFact } from './approval-facts.tsx';
import { Countdown } from './countdown.tsx';
import { approvalQuery, approve, reject } from './queries.ts';
import { factsOf, kindText } from './texts.ts';

const APPROVE_KEYS = 'Mod+Enter';
const REJECT_KEYS = 'Mod+Backspace';
const REASON_FIELD = 'rejection-reason';

/** Asks a person who may approve: what, who, how much, and why. */
export function DecisionDialog({ approval, onClose }: { readonly approval: Approval; readonly onClose: () => void }) {
  const [note, setNote] = useState('');
  const { approvalId, amount, currency, requestedBy, reason, expiresAt } = approval;
  const { data: opened } = useQuery(approvalQuery(approvalId));
  const onDecided = (text: string) => {
    showToast(text);
    void queryClient.invalidateQueries({ queryKey: ['approvals'] });
    onClose();
  };
  const approving = useMutation({
    mutationFn: () => approve(approvalId),
    onSuccess: ({ resultStatus }) => onDecided(decidedText(resultStatus)),
  });
  const rejecting = useMutation({ mutationFn: () => reject(approvalId, note.trim()), onSuccess: () => onDecided(t('Rejected.')) });
  const isBusy = approving.isPending || rejecting.isPending;
  const [isReasonMissing, setReasonMissing] = useState(false);
  const onReject = () => {
    if (isBusy) return;
    setReasonMissing(note.trim() === '');
    if (note.trim() === '') focusField(REASON_FIELD);
    else rejecting.mutate();
  };
  const failure = approving.error ?? rejecting.error;
  return (
    <Dialog
      title={t('Approve: {{operation}}?', { operation: kindText(approval) })}
      isOpen
      onClose={onClose}
      maxWidth="sm"
      actions={
        <>
          <Button variant="text" onClick={onClose} sx={{ marginInlineEnd: 'auto' }}>
            {t('Later')}
          </Button>
          <Button variant="outlined" loading={rejecting.isPending} disabled={isBusy} onClick={onReject} {...keyTip(REJECT_KEYS)}>
            {t('Reject')}
          </Button>
          <Button
            variant="contained"
            color="primary"
            loading={approving.isPending}
            disabled={isBusy}
            onClick={() => approving.mutate()}
            {...keyTip(APPROVE_KEYS)}
            autoFocus
          >
            {t('Approve')}
          </Button>
        </>
      }
    >
      <DecisionKeys onApprove={() => !isBusy && approving.mutate()} onReject={onReject} />
      <Box sx={{ display: 'grid', gap: 4 }}>
        {amount !== null && <MoneyText amount={amount} currency={currency ?? ''} code sx={{ fontSize: 28, fontWeight: 650 }} />}
        <Box>{serviceText(reason)}</Box>
        <FactList
          facts={[
            [t('Requested by'), actorText(requestedBy)],
            ...factsOf(approval),
            paymentFact(approval, onClose),
            requestsOfDayFact(opened),
            [t('Time left'), <Countdown key="time" expiresAt={expiresAt} />],
          ]}
        />
        <TextField
          id={REASON_FIELD}
          label={t('Reason for rejecting')}
          value={note}
          error={isReasonMissing}
          helperText={isReasonMissing && t('Say why, so that the person who asked knows what to change.')}
          onChange={(event) => setNote(event.target.value)}
          slotProps={{ htmlInput: { maxLength: 200, autoComplete: 'off' } }}
        />
        {failure && <FailureNote failure={failure} />}
      </Box>
    </Dialog>
  );
}

function decidedText(resultStatus: number | null): string {
  if (resultStatus === null || resultStatus < 400) return t('Approved.');
  return resultStatus < 500 ? t('Approved, but the operation was refused.') : t('Approved, but the operation failed. Nothing was done.');
}

/** Keys of the decision. They belong to the layer of the dialog. */
function DecisionKeys({ onApprove, onReject }: { readonly onApprove: () => void; readonly onReject: () => void }) {
  useShortcuts(t('Approval'), [
    { keys: APPROVE_KEYS, label: t('Approve'), run: onApprove },
    { keys: REJECT_KEYS, label: t('Reject'), run: onReject },
  ]);
  return null;
}
