import { createJSONStorage, persist } from 'zustand/middleware';
import { createStore } from '#renderer/base/module-state';

/** Remaining steps of the first run after the account was created. */
export interface RemainingSetup {
  readonly step: 'printer' | 'recovery' | 'done';
  readonly environment: 'sandbox' | 'live';
  readonly businessName: string;
  /** Email address of the new administrator, the only user for the remaining steps. */
  readonly email: string;
  /** True if the recovery file is saved; a sandbox has no step for it. */
  readonly isRecoverable: boolean;
}

interface RemainingSetupStore {
  readonly left: RemainingSetup | null;
}

/** Stored for this tab, so that the first run continues at the same step after a reload. */
const useStore = createStore<RemainingSetupStore>()(
  persist((): RemainingSetupStore => ({ left: null }), { name: 'paydesk.set-up-left', storage: createJSONStorage(() => sessionStorage) }),
);

export const useRemainingSetup = (): RemainingSetup | null => useStore(({ left }) => left);

export function storeRemainingSetup(left: RemainingSetup): void {
  useStore.setState({ left });
}

export function clearRemainingSetup(): void {
  useStore.setState({ left: null });
  void useStore.persist.clearStorage();
}
