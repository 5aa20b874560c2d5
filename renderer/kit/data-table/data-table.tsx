import Box from '@mui/material/Box';
import { DataGrid, type DataGridProps, type GridRowParams, type GridValidRowModel } from '@mui/x-data-grid';
import { esES } from '@mui/x-data-grid/locales';
import { language } from '#renderer/base/language';
import { useWorkstation } from '#renderer/base/workstation';
import { useWidth } from '#renderer/kit/ui';
import { useArrangedColumns } from './arranged-columns.ts';

/** Texts of the grid itself, in the language of the screens. */
const LOCALE_TEXT = language() === 'es' ? esES.components.MuiDataGrid.defaultProps.localeText : undefined;
const ROW_PX = { roomy: 36, compact: 30 } as const;
const NONE: readonly string[] = [];
const HEADER_PX = 36;
const FOOTER_PX = 52;
const BORDERS_PX = 2;

interface DataTableProps<Row extends GridValidRowModel>
  extends Pick<DataGridProps<Row>, 'columns' | 'getRowId' | 'apiRef' | 'getRowClassName' | 'getRowHeight'> {
  /** Name under which the columns that the user arranged are stored, the same in each language. */
  readonly list: string;
  /** Accessible name of the rows. */
  readonly label: string;
  readonly rows: readonly Row[];
  /** Fields of columns that are left out, in this order, while the list is too narrow for all, unless the user shows them. */
  readonly leaveOut?: readonly string[];
  /** Number of rows of the filter on all pages. */
  readonly total: number;
  /** Page number from 1. */
  readonly page: number;
  readonly pageSize: number;
  readonly isLoading: boolean;
  readonly onPage: (page: number) => void;
  /** Called for a click or Enter on a row. */
  readonly onOpen: (row: Row) => void;
  readonly empty: React.ReactNode;
}

/**
 * Returns the height of a list: that of its rows if they fit, with the bar that scrolls to the side, otherwise whole rows only. A row that is
 * cut off at the footer looks like an error, and an empty panel below a few rows like missing ones. Without rows, skeletons fill the space.
 */
function maxHeightOf(frame: string, rowPx: number, rows: number): string {
  const filled = `calc(${frame} + round(down, 100cqh - ${frame}, ${rowPx}px))`;
  if (rows === 0) return filled;
  const needed = `${rows * rowPx}px + var(--DataGrid-hasScrollX, 0) * var(--DataGrid-scrollbarSize, 0px)`;
  return `min(${filled}, calc(${frame} + ${needed}))`;
}

/** A list with pages from the service. Arrow keys move through it and Enter opens a row; current rows stay while others are fetched. */
export function DataTable<Row extends GridValidRowModel>(props: DataTableProps<Row>) {
  const { list, label, leaveOut = NONE, rows, total, page, pageSize, isLoading, onPage, onOpen, empty, columns, ...grid } = props;
  const [frameRef, widthPx] = useWidth();
  const arranged = useArrangedColumns({ list, columns, leaveOut, widthPx });
  const density = useWorkstation((settings) => settings.density);
  const rowPx = ROW_PX[density];
  const frame = `${HEADER_PX + (total === 0 ? 0 : FOOTER_PX) + BORDERS_PX}px`;
  // A grid without rows may contain nothing else, so the message is placed beside it.
  if (rows.length === 0 && !isLoading && empty !== null) return empty;
  return (
    <Box ref={frameRef} sx={{ flex: 1, minHeight: 0, display: 'flex', flexDirection: 'column', containerType: 'size' }}>
      <DataGrid<Row>
        {...grid}
        {...arranged}
        aria-label={label}
        localeText={LOCALE_TEXT}
        rows={rows}
        rowCount={total}
        loading={isLoading}
        hideFooter={total === 0}
        paginationMode="server"
        sortingMode="server"
        filterMode="server"
        disableColumnSorting
        disableColumnFilter
        rowSelection={false}
        rowHeight={rowPx}
        columnHeaderHeight={HEADER_PX}
        pageSizeOptions={[pageSize]}
        paginationModel={{ page: page - 1, pageSize }}
        onPaginationModelChange={(model) => model.page + 1 !== page && onPage(model.page + 1)}
        onRowClick={(params: GridRowParams<Row>) => onOpen(params.row)}
        onCellKeyDown={(params, event) => {
          if (event.key !== 'Enter') return;
          event.preventDefault();
          onOpen(params.row);
        }}
        slotProps={{ loadingOverlay: { variant: 'linear-progress', noRowsVariant: 'skeleton' } }}
        sx={(theme) => ({
          border: `1px solid ${theme.vars.palette.divider}`,
          fontSize: 13,
          ...(props.getRowHeight === undefined && { maxHeight: maxHeightOf(frame, rowPx, rows.length) }),
          '& .MuiDataGrid-footerContainer': { minHeight: FOOTER_PX, height: FOOTER_PX },
          '--DataGrid-t-color-border-base': theme.vars.palette.divider,
          '--DataGrid-t-header-background-base': theme.vars.palette.wash,
          backgroundColor: theme.vars.palette.background.paper,
          '& .MuiDataGrid-columnHeaderTitle': { fontSize: 12, fontWeight: 600, color: theme.vars.palette.text.secondary },
          '--DataGrid-rowBorderColor': theme.vars.palette.divider,
          '& .MuiDataGrid-row': { cursor: 'pointer' },
          '& .MuiDataGrid-row--dynamicHeight > .MuiDataGrid-cell': { display: 'flex', alignItems: 'center', py: 2, lineHeight: '18px' },
          '& .MuiDataGrid-row.is-open': { backgroundColor: theme.vars.palette.tone.primary.tint },
          '& .MuiDataGrid-columnSeparator': { color: 'transparent' },
          '& .MuiDataGrid-cell--flex.MuiDataGrid-cell--textRight': { justifyContent: 'flex-end' },
        })}
      />
    </Box>
  );
}
