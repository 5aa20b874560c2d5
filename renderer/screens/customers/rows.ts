import type { GridApiCommon } from '@mui/x-data-grid';
import { type Ref, type RefObject, useImperativeHandle } from 'react';
import { t } from '#renderer/base/language';
import { useShortcuts } from '#renderer/kit/ui';

/** Functions of the list below the drawer. */
export interface Rows {
  /** Focuses the row of a customer again. Returns false if it is not in the list. */
  readonly focus: (customerId: string) => boolean;
}

interface RowsOptions<Row> {
  readonly ref: Ref<Rows>;
  readonly grid: RefObject<GridApiCommon | null>;
  readonly rows: readonly Row[];
  readonly idOf: (row: Row) => string;
  readonly customerOf: (row: Row) => string;
  readonly firstField: string;
  /** The customer in the drawer. */
  readonly openId: string | undefined;
  readonly onOpen: (customerId: string) => void;
}

/** Keys J and K for the rows, and restoring the focus to them. Returns a function that focuses the first row. */
export function useRows<Row>({ ref, grid, rows, idOf, customerOf, firstField, openId, onOpen }: RowsOptions<Row>): () => void {
  const focusCell = (row: Row | undefined) => {
    const cell = row && grid.current?.getCellElement(idOf(row), firstField);
    cell?.focus();
    return Boolean(cell);
  };
  useImperativeHandle(ref, () => ({ focus: (customerId) => focusCell(rows.find((row) => customerOf(row) === customerId)) }));
  const step = (offset: 1 | -1) => {
    const focused = grid.current?.state.focus.cell?.id;
    const current = rows.findIndex((row) => (openId ? customerOf(row) === openId : idOf(row) === focused));
    const next = rows[current < 0 ? 0 : current + offset];
    if (!next) return;
    if (openId) onOpen(customerOf(next));
    else focusCell(next);
  };
  useShortcuts(t('Customers'), [
    { keys: 'J', label: t('Next customer'), run: () => step(1) },
    { keys: 'K', label: t('Previous customer'), run: () => step(-1) },
  ]);
  return () => void focusCell(rows[0]);
}
