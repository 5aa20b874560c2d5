import { showToast, useShortcuts } from '#renderer/kit/ui';
import type { RecordAction } from './record-action.ts';

/** Binds the keys of actions. The key of an action that is not possible says why. */
export function useActionKeys(group: string, actions: readonly RecordAction[]): void {
  useShortcuts(
    group,
    actions.flatMap(({ keys, label, reason, run, isBusy }) =>
      keys === undefined
        ? []
        : [{ keys, label, run: () => (reason !== undefined ? showToast(`${label}: ${reason}`) : isBusy !== true && run()) }],
    ),
  );
}
