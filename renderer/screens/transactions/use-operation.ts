import { t } from '#renderer/base/language';
import { useSubmit } from '#renderer/kit/ui';
import type { ActionPanelProps } from './action-panel-props.ts';
import { refreshTransaction } from './queries.ts';
import { rerunResult } from './rerun-result.ts';
import type { Result } from './result-note.tsx';

const UNCONFIRMED: Result = {
  tone: 'warning',
  text: t(
    'The processor did not respond in time. We’re checking the outcome; don’t repeat the operation. The result appears here automatically.',
  ),
};

/**
 * The form of an operation, which is sent once, however often it is submitted, and whose result is reported. A refusal stays in the form; after a
 * time-out the outcome is unknown, and the form closes.
 */
export const useOperation = <Input, Response>(
  { transaction: { transactionId }, onResult, onClose }: ActionPanelProps,
  send: (input: Input, key: string) => Promise<Response>,
  resultOf: (response: Response) => Result,
) =>
  useSubmit<Response, Input>({
    send,
    refreshFirst: () => refreshTransaction(transactionId),
    onClose,
    onDone: (response) => onResult(resultOf(response)),
    onFailure: (failure) => {
      const result = failure.code === 'GATEWAY_TIMEOUT' ? UNCONFIRMED : rerunResult(failure);
      if (result && failure.status !== 0) onResult(result);
    },
  });
