import { create } from 'zustand';

/** Which of the till's dialogs is open. */
type TillDialog = 'queue' | 'drawer';

const useOpen = create<{ readonly open: TillDialog | null }>()(() => ({ open: null }));

export const useTillDialog = () => useOpen((state) => state.open);
export const openTillDialog = (open: TillDialog) => useOpen.setState({ open });
export const closeTillDialog = () => useOpen.setState({ open: null });
