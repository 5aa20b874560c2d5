import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import MenuItem from '@mui/material/MenuItem';
import TextField from '@mui/material/TextField';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { ApiFailure, type Approval, handleApprovals, type RequiredApproval } from '#renderer/base/client';
import { serviceText, Trans, t } from '#renderer/base/language';
import { createStore } from '#renderer/base/module-state';
import { actorText, FormDialog, useFocusAfterChoice } from '#renderer/kit/ui';
import { PinField } from '#renderer/shared/pin-entry';
import { Countdown, useRemainingMs } from './countdown.tsx';
import { approvalQuery, approve, approversQuery, reject } from './queries.ts';

/** Operation of this screen that waits for the approval of a second person. */
interface Waiting extends RequiredApproval {
  /** Ends the wait with the response of the operation. */
  readonly finish: (response: Response) => void;
  /** Ends the wait without an effect of the operation. */
  readonly fail: (failure: ApiFailure) => void;
}

/** The operations that wait, oldest first. The prompt shows the first one. */
const useWaiting = createStore<{ readonly waiting: readonly Waiting[] }>()(() => ({ waiting: [] }));

/** Not approved: a definite answer, after which nothing was done. */
const notApproved = (message: string): ApiFailure => new ApiFailure('NOT_APPROVED', message, { status: 403 });

function waitForApproval(approval: RequiredApproval): Promise<Response> {
  return new Promise((resolve, reject) => {
    const end = () =>
      useWaiting.setState(({ waiting }) => ({ waiting: waiting.filter(({ approvalId }) => approvalId !== approval.approvalId) }));
    const entry: Waiting = {
      ...approval,
      finish: (response) => {
        end();
        resolve(response);
      },
      fail: (failure) => {
        end();
        reject(failure);
      },
    };
    useWaiting.setState(({ waiting }) => ({ waiting: [...waiting, entry] }));
  });
}

handleApprovals(waitForApproval);

/** The dialog of an operation of this screen that waits for a second person. Mounted once, in the shell. */
export function ApprovalPrompt() {
  const waiting = useWaiting((state) => state.waiting[0]);
  return waiting ? <Prompt key={waiting.approvalId} {...waiting} /> : null;
}

type PromptProps = NonNullable<ReturnType<typeof useWaiting.getState>['waiting'][number]>;

function Prompt({ approvalId, reason, expiresAt, finish, fail }: PromptProps) {
  const { data: approval } = useQuery(approvalQuery(approvalId));
  const { data: people = [] } = useQuery(approversQuery(approvalId));
  const remainingMs = useRemainingMs(expiresAt);
  const withPin = people.filter(({ hasPin }) => hasPin);
  const [chosenId, setChosen] = useState<string>();
  const approverId = chosenId ?? withPin[0]?.userId ?? '';
  const [pin, setPin] = useState('');
  const pinField = useRef<HTMLInputElement>(null);
  const choiceHandlers = useFocusAfterChoice(() => pinField.current?.focus());
  const isByPin = approval !== undefined && approval.kind !== 'access_change' && withPin.length > 0;
  const deciding = useMutation({
    mutationFn: () => approve(approvalId, { approverId, pin }),
    onSuccess: (decided) => conclude(decided),
    onError: () => {
      setPin('');
      pinField.current?.focus();
    },
  });
  const withdrawing = useMutation({
    mutationFn: () => reject(approvalId),
    onSuccess: () => fail(notApproved(t('You withdrew the request. Nothing was done.'))),
  });

  /** Ends the wait once the approval is decided and its operation has run. */
  function conclude(decided: Pick<Approval, 'status' | 'decidedBy' | 'note' | 'executedAt' | 'resultStatus'> & { result: unknown }): void {
    const { status, decidedBy, note, executedAt, resultStatus, result } = decided;
    if (status === 'rejected')
      fail(
        notApproved(
          note
            ? t('{{person}} rejected this: {{reason}} Nothing was done.', { person: actorText(decidedBy ?? ''), reason: note })
            : t('{{person}} rejected this. Nothing was done.', { person: actorText(decidedBy ?? '') }),
        ),
      );
    else if (status === 'expired') fail(notApproved(t('The request expired without an approval. Nothing was done.')));
    else if (executedAt === null) return;
    else if (resultStatus !== null && result !== null)
      finish(new Response(JSON.stringify(result), { status: resultStatus, headers: { 'Content-Type': 'application/json' } }));
    else
      fail(
        new ApiFailure('RESULT_LOST', t('The operation was done, but its response was lost. Reload to see the result.'), { status: 409 }),
      );
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: each decision is concluded once.
  useEffect(() => {
    if (approval && approval.status !== 'pending') conclude(approval);
  }, [approval]);
  useEffect(() => {
    if (isByPin) pinField.current?.focus();
  }, [isByPin]);

  return (
    <FormDialog
      title={t('A second person must approve this')}
      submitLabel={isByPin ? t('Approve with PIN') : undefined}
      cancelLabel={t('Withdraw request')}
      isBusy={deciding.isPending}
      isDisabled={!isByPin || pin.length < 4}
      failure={deciding.error ?? withdrawing.error}
      onSubmit={() => deciding.mutate()}
      onClose={() => !withdrawing.isPending && withdrawing.mutate()}
      maxWidth="xs"
    >
      <Box sx={{ display: 'grid', gap: 4 }}>
        <Box>{serviceText(reason)}</Box>
        {isByPin && (
          <Box sx={{ display: 'grid', gap: 4, gridTemplateColumns: 'minmax(0, 1fr) 136px' }}>
            <TextField
              id="approver"
              select
              label={t('Approver')}
              value={approverId}
              onChange={(event) => setChosen(event.target.value)}
              slotProps={{ select: choiceHandlers }}
            >
              {withPin.map(({ userId, name, email }) => (
                <MenuItem key={userId} value={userId}>
                  {name ?? email}
                </MenuItem>
              ))}
            </TextField>
            <PinField id="approver-pin" label="PIN" value={pin} onValue={setPin} inputRef={pinField} />
          </Box>
        )}
        <Alert severity="info" icon={false} role="status">
          {waitingText(people.length, isByPin)}{' '}
          {remainingMs === 0 ? (
            t('Time left: expired. Withdraw the request and try again.')
          ) : (
            <Trans i18nKey="Time left: <0/>" components={[<Countdown key="0" expiresAt={expiresAt} />]} />
          )}
        </Alert>
      </Box>
    </FormDialog>
  );
}

function waitingText(count: number, isByPin: boolean): string {
  if (count === 0) return t('No other user of this account may approve it.');
  return isByPin
    ? t('{{count, number}} people can also approve it from their own screens.', { count })
    : t('{{count, number}} people can approve it from their own screens.', { count });
}
