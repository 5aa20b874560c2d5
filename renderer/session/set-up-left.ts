import { create } from 'zustand';
import { createJSONStorage, persist } from 'zustand/middleware';

/** What of the first run is still to be done once the business is made. */
export interface SetUpLeft {
  readonly step: 'printer' | 'recovery' | 'done';
  readonly environment: 'sandbox' | 'live';
  readonly businessName: string;
  /** Of the administrator that was made: the rest is asked of nobody else. */
  readonly email: string;
  /** Whether the recovery file is kept. */
  readonly isRecoverable: boolean;
}

interface SetUpLeftStore {
  readonly left: SetUpLeft | null;
}

/** Outlives a reload of this tab, so that the first run goes on at the same step (experience 2.1). */
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
