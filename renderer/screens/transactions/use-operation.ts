import { type ApiFailure, useMoneyMutation } from '#renderer/client';
import { refreshTransaction } from './queries.ts';
import { rerunResult } from './rerun-result.ts';
import type { Result } from './result-note.tsx';

const DOUBT: Result = {
  tone: 'warning',
  text: 'The processor did not answer in time. The service asks it what became of this; do not repeat it. The answer appears here by itself.',
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
export function useOperation<Input, Answer>(
  transactionId: string,
  act: (input: Input, key: string) => Promise<Answer>,
  tell: (answer: Answer) => Result,
  onResult: (result: Result) => void,
): Operation<Input> {
  const mutation = useMoneyMutation(act, {
    onSuccess: async (answer) => {
      await refreshTransaction(transactionId).catch(() => undefined);
      onResult(tell(answer));
    },
    onError: async (failure) => {
      if (failure.status === 0) return;
      await refreshTransaction(transactionId).catch(() => undefined);
      const result = failure.code === 'GATEWAY_TIMEOUT' ? DOUBT : rerunResult(failure);
      if (result) onResult(result);
    },
  });
  return { start: (input) => mutation.mutate(input), isBusy: mutation.isPending, failure: mutation.error };
}
