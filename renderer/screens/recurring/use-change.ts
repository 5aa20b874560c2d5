import { type UseMutationResult, useMutation } from '@tanstack/react-query';
import type { ApiFailure, Subscription } from '#renderer/client';
import { announce } from '#renderer/ui';
import { refreshRecurring } from './queries.ts';

/** What a panel of a plan is given. */
export interface PlanPanelProps {
  readonly plan: Subscription;
  /** The next dates; of a paused one, those that resuming it now would bring. */
  readonly dates: readonly string[];
  /** What would come first if the next one were skipped. */
  readonly afterSkip: string | null;
  readonly onClose: () => void;
}

/** Changes a plan, and says what it came to once everything on screen shows it: the next key then stands on new dates. */
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
