import { type ApiFailure, useMoneyMutation } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { refreshTransaction } from './queries.ts';
import { rerunResult } from './rerun-result.ts';
import type { Result } from './result-note.tsx';

const UNCONFIRMED: Result = {
  tone: 'warning',
  text: t(
    'The processor did not respond in time. We’re checking the outcome; don’t repeat the operation. The result appears here automatically.',
  ),
};

interface Operation<Input> {
  readonly start: (input: Input) => void;
  readonly isBusy: boolean;
  readonly failure: ApiFailure | null;
}

/**
 * Runs an operation once, however often it is requested, and reports the result. A refusal stays in the form; after a time-out the outcome
 * is unknown, and the form closes.
 */
export function useOperation<Input, Response>(
  transactionId: string,
  send: (input: Input, key: string) => Promise<Response>,
  resultOf: (response: Response) => Result,
  onResult: (result: Result) => void,
): Operation<Input> {
  const mutation = useMoneyMutation(send, {
    onSuccess: async (response) => {
      await refreshTransaction(transactionId).catch(() => undefined);
      onResult(resultOf(response));
    },
    onError: async (failure) => {
      if (failure.status === 0) return;
      await refreshTransaction(transactionId).catch(() => undefined);
      const result = failure.code === 'GATEWAY_TIMEOUT' ? UNCONFIRMED : rerunResult(failure);
      if (result) onResult(result);
    },
  });
  return { start: (input) => mutation.mutate(input), isBusy: mutation.isPending, failure: mutation.error };
}
