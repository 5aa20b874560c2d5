import { create } from 'zustand';
import { createJSONStorage, persist } from 'zustand/middleware';

/** Remaining steps of the first run once the business exists. */
export interface SetUpLeft {
  readonly step: 'printer' | 'recovery' | 'done';
  readonly environment: 'sandbox' | 'live';
  readonly businessName: string;
  /** Email address of the new administrator, the only user for the remaining steps. */
  readonly email: string;
  /** True if the recovery file is saved. */
  readonly isRecoverable: boolean;
}

interface SetUpLeftStore {
  readonly left: SetUpLeft | null;
}

/** Survives a reload of this tab, so that the first run continues at the same step (experience 2.1). */
const useStore = create<SetUpLeftStore>()(
  persist((): SetUpLeftStore => ({ left: null }), { name: 'paydesk.set-up-left', storage: createJSONStorage(() => sessionStorage) }),
);

export const useSetUpLeft = (): SetUpLeft | null => useStore(({ left }) => left);

export function noteSetUpLeft(left: SetUpLeft): void {
  useStore.setState({ left });
}

export function forgetSetUpLeft(): void {
  useStore.setState({ left: null });
  void useStore.persist.clearStorage();
}
