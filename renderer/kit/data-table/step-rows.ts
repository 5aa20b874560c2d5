import type { GridApi } from '@mui/x-data-grid';
import type { RefObject } from 'react';

interface RowSteps {
  readonly grid: RefObject<GridApi | null>;
  /** IDs of the rows in their order. */
  readonly ids: readonly string[];
  /** ID of the record in the drawer; undefined if it is closed. */
  readonly openId: string | undefined;
  readonly onOpen: (id: string) => void;
  /** Field of the cell that gets the focus. */
  readonly field: string;
}

/** Moves from the open or focused row to another one: opens it if a record is open, and focuses it otherwise. */
export function stepRows({ grid, ids, openId, onOpen, field }: RowSteps, offset: 1 | -1): void {
  const current = ids.indexOf(openId ?? String(grid.current?.state.focus.cell?.id));
  const next = ids[current < 0 ? 0 : current + offset];
  if (next === undefined) return;
  if (openId === undefined) grid.current?.setCellFocus(next, field);
  else onOpen(next);
}
