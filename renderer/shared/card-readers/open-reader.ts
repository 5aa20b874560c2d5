import { createJSONStorage, persist } from 'zustand/middleware';
import { createStore } from '#renderer/base/module-state';

interface OpenReader {
  /** ID of the simulated card reader that is shown beside the screen; null if none is. */
  readonly terminalId: string | null;
}

/** The simulated card reader of this tab. It stays open on every screen and after a reload, as a reader on the counter does. */
export const useOpenReader = createStore<OpenReader>()(
  persist((): OpenReader => ({ terminalId: null }), {
    name: 'paydesk.simulated-reader',
    version: 1,
    storage: createJSONStorage(() => sessionStorage),
  }),
);

/** Shows a simulated card reader beside the screen; null closes it. */
export const openReader = (terminalId: string | null) => useOpenReader.setState({ terminalId });
