import type { ToDoItem } from '#renderer/base/client';
import { createStore } from '#renderer/base/module-state';

interface WorkThrough {
  /** The item whose record was opened from the list; null before. */
  readonly item: ToDoItem | null;
  /** IDs of the items in the order of the list from which it was opened. An item that is done keeps its place. */
  readonly ids: readonly string[];
  /** Remembers the opened item, so that every screen leads to the next one. */
  readonly open: (item: ToDoItem, list?: readonly ToDoItem[]) => void;
}

/** The item of To do that a person works on, until the page is loaded again. */
export const useWorkThrough = createStore<WorkThrough>()((set) => ({
  item: null,
  ids: [],
  open: (item, list) => set((state) => ({ item, ids: list === undefined ? state.ids : list.map(({ id }) => id) })),
}));
