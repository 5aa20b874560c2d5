import { createContext, type RefObject, useContext } from 'react';

/** Functions of the list of a screen, for its search box and its record panel. */
export interface ListHandle {
  readonly focusFirst: () => void;
  /** Focuses the row of a record. Returns false if it is not on the page. */
  readonly focusRow: (id: string) => boolean;
  /** Moves to the next or previous row: opens it if a record is open, and focuses it otherwise. */
  readonly step: (offset: 1 | -1) => void;
}

/** A row whose context menu opens at a point of the window. */
export interface MenuRow {
  /** ID of the record that the row opens. */
  readonly id: string;
  readonly left: number;
  readonly top: number;
  /** Opens the record in the panel. */
  readonly open: () => void;
}

interface ListOfScreen {
  readonly list: ListHandle | null;
  readonly setList: (list: ListHandle | null) => void;
  /** Opens the context menu of a row. The record panel of the screen has it, as it knows the actions of a record. */
  readonly rowMenu: RefObject<((row: MenuRow) => void) | null> | null;
}

export const ListContext = createContext<ListOfScreen>({ list: null, setList: () => undefined, rowMenu: null });

/** Returns the list of the screen around; null without one. */
export const useList = (): ListHandle | null => useContext(ListContext).list;
