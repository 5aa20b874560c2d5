import { createJSONStorage, persist } from 'zustand/middleware';
import { createStore } from '#renderer/base/module-state';

interface FirstSaleNote {
  /** `expected` from the setup of a sandbox until its first sale, then `shown` until it is dismissed. */
  readonly state: 'expected' | 'shown' | null;
}

/** Stored for this tab: an explanation of the recovery file after the first sale of a new sandbox. */
const useStore = createStore<FirstSaleNote>()(
  persist((): FirstSaleNote => ({ state: null }), { name: 'paydesk.recovery-note', storage: createJSONStorage(() => sessionStorage) }),
);

export const useIsFirstSaleNoteShown = (): boolean => useStore(({ state }) => state === 'shown');

/** Explains the recovery file after the next approved sale. */
export function expectFirstSale(): void {
  useStore.setState({ state: 'expected' });
}

export function reportFirstSale(): void {
  if (useStore.getState().state === 'expected') useStore.setState({ state: 'shown' });
}

export function dismissFirstSaleNote(): void {
  useStore.setState({ state: null });
}
