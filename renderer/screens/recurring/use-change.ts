import { type UseMutationResult, useMutation } from '@tanstack/react-query';
import type { ApiFailure, Subscription } from '#renderer/base/client';
import { announce } from '#renderer/kit/ui';
import { refreshRecurring } from './queries.ts';

/** Properties of a subscription's panel. */
export interface SubscriptionPanelProps {
  readonly subscription: Subscription;
  /** Next dates; for a paused subscription, the dates if it is resumed now. */
  readonly dates: readonly string[];
  /** First date after skipping the next one. */
  readonly afterSkip: string | null;
  readonly onClose: () => void;
}

/** Changes a subscription and announces the result once the screen is up to date, so that the next key acts on new dates. */
export function useChange(
  act: () => Promise<Subscription>,
  resultText: (after: Subscription) => string,
  onClose: () => void,
): UseMutationResult<Subscription, ApiFailure, void> {
  return useMutation({
    mutationFn: act,
    onSuccess: async (after) => {
      await refreshRecurring();
      announce(resultText(after));
      onClose();
    },
    onError: () => void refreshRecurring(),
  });
}
