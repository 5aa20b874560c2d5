import { type UseMutationResult, useMutation } from '@tanstack/react-query';
import type { ApiFailure, Subscription } from '#renderer/client';
import { announce } from '#renderer/ui';
import { refreshRecurring } from './queries.ts';

/** Properties of a subscription's panel. */
export interface PlanPanelProps {
  readonly plan: Subscription;
  /** The next dates; of a paused one, those that resuming it now would bring. */
  readonly dates: readonly string[];
  /** First date after skipping the next one. */
  readonly afterSkip: string | null;
  readonly onClose: () => void;
}

/** Changes a subscription and announces the result once the screen is up to date, so that the next key acts on new dates. */
export function useChange(
  act: () => Promise<Subscription>,
  tell: (after: Subscription) => string,
  onClose: () => void,
): UseMutationResult<Subscription, ApiFailure, void> {
  return useMutation({
    mutationFn: act,
    onSuccess: async (after) => {
      await refreshRecurring();
      announce(tell(after));
      onClose();
    },
    onError: () => void refreshRecurring(),
  });
}
