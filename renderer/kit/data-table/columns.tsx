import type { GridColDef, GridValidRowModel } from '@mui/x-data-grid';
import type { ReactNode } from 'react';
import { t } from '#renderer/base/language';
import { MoneyText, type RecordKind, StatusChip, TimeText } from '#renderer/kit/ui';

type Size = Pick<GridColDef, 'flex' | 'minWidth' | 'width' | 'sortable'>;

/** A column of texts, which are shown in up to two lines. */
export const textColumn = <Row extends GridValidRowModel>(
  field: string,
  headerName: string,
  size: Size,
  textOf: (row: Row) => string | number | null,
): GridColDef<Row> => ({ field, headerName, ...size, valueGetter: (_, row) => textOf(row) });

/** A column of times in a time zone; an empty cell without one. */
export const timeColumn = <Row extends GridValidRowModel>(
  field: string,
  headerName: string,
  size: Size,
  timeZone: string,
  timeOf: (row: Row) => string | null | undefined,
): GridColDef<Row> => ({
  field,
  headerName,
  ...size,
  renderCell: ({ row }) => {
    const at = timeOf(row);
    return at && <TimeText at={at} timeZone={timeZone} />;
  },
});

/** The column of the statuses. @param of Kind of the record, if its statuses have labels of their own. */
export const statusColumn = <Row extends GridValidRowModel>(
  size: Size,
  statusOf: (row: Row) => string,
  of?: RecordKind,
): GridColDef<Row> => ({
  field: 'status',
  headerName: t('Status'),
  ...size,
  renderCell: ({ row }) => <StatusChip state={statusOf(row)} of={of} />,
});

/** A column of figures, aligned to the right. */
export const figureColumn = <Row extends GridValidRowModel>(
  field: string,
  headerName: string,
  size: Size,
  cellOf: (row: Row) => ReactNode,
): GridColDef<Row> => ({ field, headerName, ...size, align: 'right', headerAlign: 'right', renderCell: ({ row }) => cellOf(row) });

/** A column of amounts. The header names the merchant's currency; other currencies are beside their amounts. */
export const moneyColumn = <Row extends GridValidRowModel & { readonly currency: string }>(
  field: string,
  headerName: string,
  size: Size,
  merchantCurrency: string,
  amountOf: (row: Row) => number,
  sx: object = { fontWeight: 600 },
): GridColDef<Row> =>
  figureColumn(field, headerName, size, (row) => (
    <MoneyText amount={amountOf(row)} currency={row.currency} code={row.currency !== merchantCurrency} sx={sx} />
  ));
