import type { GridColDef, GridValidRowModel } from '@mui/x-data-grid';
import { useMemo } from 'react';
import { DEFAULT_COLUMNS, useListSettings } from '#renderer/kit/list-settings';
import { leftOut } from './left-out.ts';

/** Columns that name whom a row is about, and its state or its end. Beside a record they are left out last. */
export const NAME_FIELDS: readonly string[] = ['customer', 'name', 'to'];
export const STATUS_FIELDS: readonly string[] = ['status', 'state', 'expires'];
const KEPT_LONGEST = [...STATUS_FIELDS, ...NAME_FIELDS];

/** Border and scroll bar of a list. */
const FRAME_PX = 18;

interface ColumnsOfList<Row extends GridValidRowModel> {
  readonly list: string;
  readonly columns: readonly GridColDef<Row>[];
  readonly leaveOut: readonly string[];
  /** True beside an open record, which has every fact: then more columns are left out, status and name last, but neither the first one nor amounts. */
  readonly isBesideRecord: boolean;
  /** Width of the list; 0 while it is not known. */
  readonly widthPx: number;
}

/** Applies the widths and hidden columns that the user chose for a list, leaves out columns while it is too narrow, and stores changes. */
export function useArrangedColumns<Row extends GridValidRowModel>({
  list,
  columns,
  leaveOut,
  isBesideRecord,
  widthPx,
}: ColumnsOfList<Row>) {
  const { hidden, shown, widths } = useListSettings((settings) => settings.columns[list]) ?? DEFAULT_COLUMNS;
  const setColumns = useListSettings((settings) => settings.setColumns);
  const sized = useMemo(
    () =>
      columns.map((column) => ({
        display: 'flex' as const,
        ...column,
        ...(widths[column.field] !== undefined && { flex: undefined, width: widths[column.field] }),
      })),
    [columns, widths],
  );
  const out = useMemo(() => {
    const visible = sized.filter(({ field }) => !hidden.includes(field));
    const others = visible
      .slice(1)
      .filter(({ align }) => align !== 'right')
      .map(({ field }) => field);
    const all = [...leaveOut, ...others.toReversed()];
    const besideRecord = [
      ...all.filter((field) => !KEPT_LONGEST.includes(field)),
      ...KEPT_LONGEST.filter((field) => others.includes(field)),
    ];
    const candidates = (isBesideRecord ? besideRecord : leaveOut).filter((field) => !shown.includes(field));
    return widthPx === 0 ? [] : leftOut(visible, candidates, widthPx - FRAME_PX);
  }, [sized, hidden, shown, leaveOut, isBesideRecord, widthPx]);
  const visibility = useMemo(() => Object.fromEntries([...hidden, ...out].map((field) => [field, false])), [hidden, out]);
  return {
    columns: sized,
    leftOut: sized.filter(({ field }) => out.includes(field)).map(({ field, headerName }) => headerName ?? field),
    columnVisibilityModel: visibility,
    onColumnVisibilityModelChange: (model: Record<string, boolean>) => {
      const isHidden = (field: string) => model[field] === false;
      setColumns(list, {
        // Columns that are left out for want of room come back in a wider window.
        hidden: Object.keys(model).filter((field) => isHidden(field) && !out.includes(field)),
        shown: [...new Set([...shown, ...out])].filter((field) => !isHidden(field)),
        widths,
      });
    },
    onColumnWidthChange: ({ colDef, width }: { colDef: { field: string }; width: number }) =>
      setColumns(list, { hidden, shown, widths: { ...widths, [colDef.field]: Math.round(width) } }),
  };
}
