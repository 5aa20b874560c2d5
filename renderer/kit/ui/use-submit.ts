import { type ApiFailure, useMoneyMutation } from '#renderer/base/client';
import { announce } from './live-region.tsx';
import { showToast } from './toasts.tsx';

type Text<Result, Input> = string | ((result: Result, input: Input) => string);

interface Submission<Input, Result> {
  /** The request. Its Idempotency-Key is repeated while the outcome of the last attempt is unknown. */
  readonly send: (input: Input, key: string) => Promise<Result>;
  /** Refreshes what is shown while the form closes; also after a failure, which a change of another person can cause. */
  readonly refresh?: () => unknown;
  /** Does the same before the form closes, so that the next key acts on the new state. */
  readonly refreshFirst?: () => unknown;
  /** Confirmation for screen readers, where the screen shows the result. */
  readonly announcement?: Text<Result, Input>;
  /** Confirmation on screen. */
  readonly toast?: Text<Result, Input>;
  /** Closes the form; absent for an action without a form. */
  readonly onClose?: () => void;
  /** Replaces closing the form after success. */
  readonly onDone?: (result: Result, input: Input) => void;
  readonly onFailure?: (failure: ApiFailure) => unknown;
}

/** Properties of the form that sends the request. */
export interface SubmittedForm<Input, Result> {
  readonly isBusy: boolean;
  readonly failure: ApiFailure | null;
  readonly result: Result | undefined;
  readonly onSubmit: (input: Input) => void;
  readonly onClose: () => void;
  /** Removes the failure and the result of the last attempt. */
  readonly reset: () => void;
}

/** The request of a form or of an action: sent once, however often it is submitted. After success, it refreshes the screen, confirms the result, and closes the form. */
export function useSubmit<Result, Input = void>(submission: Submission<Input, Result>): SubmittedForm<Input, Result> {
  const { send, refresh, refreshFirst, announcement, toast, onClose = () => undefined, onDone = onClose, onFailure } = submission;
  const sending = useMoneyMutation(send, {
    onSuccess: async (result, input) => {
      await settled(refreshFirst);
      const textOf = (text: Text<Result, Input>) => (typeof text === 'string' ? text : text(result, input));
      if (announcement !== undefined) announce(textOf(announcement));
      if (toast !== undefined) showToast(textOf(toast));
      onDone(result, input);
      void settled(refresh);
    },
    onError: (failure) => {
      void settled(refreshFirst ?? refresh);
      onFailure?.(failure);
    },
  });
  const { isPending: isBusy, error: failure, data: result, reset } = sending;
  return { isBusy, failure, result, onSubmit: (input) => isBusy || sending.mutate(input), onClose, reset };
}

async function settled(refresh: (() => unknown) | undefined): Promise<void> {
  try {
    await refresh?.();
  } catch {
    // The operation has its result, whatever the refresh does; queries show their own failures.
  }
}
