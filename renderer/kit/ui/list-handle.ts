import { createContext, useContext } from 'react';

/** Functions of the list of a screen, for its search box and its record panel. */
export interface ListHandle {
  readonly focusFirst: () => void;
  /** Focuses the row of a record. Returns false if it is not on the page. */
  readonly focusRow: (id: string) => boolean;
  /** Moves to the next or previous row: opens it if a record is open, and focuses it otherwise. */
  readonly step: (offset: 1 | -1) => void;
}

interface ListOfScreen {
  readonly list: ListHandle | null;
  readonly setList: (list: ListHandle | null) => void;
}

export const ListContext = createContext<ListOfScreen>({ list: null, setList: () => undefined });

/** Returns the list of the screen around; null without one. */
export const useList = (): ListHandle | null => useContext(ListContext).list;
