import Box from '@mui/material/Box';
import useMediaQuery from '@mui/material/useMediaQuery';
import { DataGrid, type GridColDef, type GridRowSelectionModel, type GridValidRowModel, useGridApiRef } from '@mui/x-data-grid';
import { esES } from '@mui/x-data-grid/locales';
import {
  type MouseEvent,
  type ReactNode,
  type Ref,
  useContext,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { language, t } from '#renderer/base/language';
import { useWorkstation } from '#renderer/base/workstation';
import { ListContext, type ListHandle, QueryContent, type QueryState, useShortcuts, useWidth } from '#renderer/kit/ui';
import { useArrangedColumns } from './arranged-columns.ts';
import type { BulkAction } from './bulk-action.ts';
import { BulkBar } from './bulk-bar.tsx';
import { FOOTER_PX, ListFooter } from './list-footer.tsx';
import { ListSkeleton } from './list-skeleton.tsx';
import { NARROW_PX, NarrowListContext } from './narrow-list.ts';
import { PHONE_ROW_PX, phoneColumn } from './phone-column.tsx';
import { modelOf, sortOf } from './sort.ts';
import { WrappedText } from './wrapped-text.tsx';

/** Texts of the grid itself, in the language of the screens. */
const LOCALE_TEXT = language() === 'es' ? esES.components.MuiDataGrid.defaultProps.localeText : undefined;
const ROW_PX = { roomy: 36, compact: 30 } as const;
const TOUCH_ROW_PX = 44;
const PHONE = '(max-width: 599px)';
const HEADER_PX = 36;
/** A screen without room for this height scrolls. */
const MIN_PX = 200;
const BORDERS_PX = 2;
const CHECKBOX_FIELD = '__check__';
const CHECKBOX_PX = 50;
const NONE: readonly never[] = [];
/** A column of text shows long texts in two lines. */
const TEXT_CELL: Pick<GridColDef, 'renderCell'> = {
  renderCell: ({ formattedValue }) => <WrappedText text={String(formattedValue ?? '')} />,
};
const NO_SELECTION: GridRowSelectionModel = { type: 'include', ids: new Set() };

/** A page of a list, as the service returns it. */
export interface ListPage<Row> {
  readonly items: readonly Row[];
  readonly total: number;
  readonly limit: number;
}

/** State of the request for a page. The page before stays while another one loads. */
export interface ListQuery<Row> extends QueryState<ListPage<Row>> {
  readonly isPlaceholderData: boolean;
}

/** A key that acts on the open row, the focused row, or the only one. */
export interface RowKey<Row> {
  readonly keys: string;
  readonly label: string;
  readonly run: (row: Row | undefined) => void;
}

/** Order of a list. Its columns have the names of the fields by which the service sorts. */
export interface ListSort<Sort extends string> {
  /** Values of the parameter `sort`: a field, or `-` and a field for the reverse order. */
  readonly allowed: readonly Sort[];
  readonly value: Sort;
  readonly onSort: (sort: Sort) => void;
}

interface RecordListProps<Row extends GridValidRowModel, Sort extends string> {
  /** Name under which the columns that the user arranged are stored, the same in each language. */
  readonly list: string;
  /** Accessible name of the rows. */
  readonly label: string;
  readonly query: ListQuery<Row>;
  readonly columns: readonly GridColDef<Row>[];
  /** Fields of columns that are left out, in this order, while the list is too narrow for all, unless the user shows them. */
  readonly leaveOut?: readonly string[];
  readonly idOf: (row: Row) => string;
  /** Returns the ID of the record that a row opens, if it is not that of the row. */
  readonly recordOf?: (row: Row) => string;
  /** Page number from 1. */
  readonly page: number;
  readonly onPage: (page: number) => void;
  /** Another way to go to a page, such as by a date. */
  readonly goTo?: ReactNode;
  /** ID of the record in the panel. */
  readonly openId?: string | undefined;
  /** Called for a click or Enter on a row. */
  readonly onOpen: (row: Row) => void;
  /** True if a row opens another screen, so that the record panel of this one does not know its actions. */
  readonly opensElsewhere?: boolean;
  readonly sort?: ListSort<Sort>;
  readonly rowKeys?: readonly RowKey<Row>[];
  /** Actions on selected rows; rows can't be selected without one. */
  readonly bulk?: readonly BulkAction<Row>[];
  /** Name of a row in the results of a bulk action. */
  readonly nameOf?: (row: Row) => string;
  /** Totals of the filter. */
  readonly totals?: ReactNode;
  /** Shown in place of a list without rows. */
  readonly empty: ReactNode;
  readonly ref?: Ref<ListHandle>;
}

/**
 * Returns the height of a list: that of its rows if they fit, with the bar that scrolls to the side, otherwise whole rows only. A row that is
 * cut off at the footer looks like an error, and an empty panel below a few rows like missing ones. Without rows, skeletons fill the space.
 */
function maxHeightOf(rowPx: number, rows: number): string {
  const frame = `${HEADER_PX + BORDERS_PX}px`;
  const filled = `calc(${frame} + round(down, 100cqh - ${HEADER_PX + BORDERS_PX + FOOTER_PX}px, ${rowPx}px))`;
  if (rows === 0) return filled;
  const needed = `${rows * rowPx}px + var(--DataGrid-hasScrollX, 0) * var(--DataGrid-scrollbarSize, 0px)`;
  return `min(${filled}, calc(${frame} + ${needed}))`;
}

/**
 * A list with pages from the service. Arrow keys and J and K move through it, Enter opens a row and Space selects it; current rows stay while
 * others are fetched. A right click, the context-menu key or Shift+F10 opens the menu of a row. The search box and the record panel of the screen move its focus.
 */
export function RecordList<Row extends GridValidRowModel, Sort extends string = string>(props: RecordListProps<Row, Sort>) {
  const { query, empty } = props;
  return (
    <QueryContent
      query={query}
      skeleton={<ListSkeleton columns={props.columns.filter(({ field }) => !props.leaveOut?.includes(field))} />}
      isEmpty={({ items }) => items.length === 0 && !query.isPlaceholderData}
      empty={empty}
    >
      {(data) => <Rows {...props} data={data} />}
    </QueryContent>
  );
}

function Rows<Row extends GridValidRowModel, Sort extends string>({
  data,
  ...props
}: RecordListProps<Row, Sort> & { readonly data: ListPage<Row> }) {
  const { list, label, query, columns, leaveOut = NONE, idOf, recordOf = idOf, page, onPage, openId, onOpen } = props;
  const { sort, rowKeys = NONE, bulk = NONE, nameOf = idOf, totals, goTo, opensElsewhere = false, ref } = props;
  const rows = data.items;
  const grid = useGridApiRef();
  const [frameRef, widthPx] = useWidth();
  const density = useWorkstation((settings) => settings.density);
  const isTouch = useMediaQuery('(pointer: coarse)', { noSsr: true });
  const isPhone = useMediaQuery(PHONE, { noSsr: true });
  const rowPx = isPhone ? PHONE_ROW_PX : isTouch ? TOUCH_ROW_PX : ROW_PX[density];
  const sortable = useMemo(
    () =>
      (isPhone ? [phoneColumn(columns, leaveOut)] : columns).map((column) => ({
        ...TEXT_CELL,
        ...column,
        sortable: sort?.allowed.some((each) => sortOf(each).field === column.field) ?? false,
      })),
    [columns, leaveOut, isPhone, sort?.allowed],
  );
  const [selection, setSelection] = useState(NO_SELECTION);
  // Beside a record, the facts of the rows need the width.
  const hasBoxes = bulk.length > 0 && (openId === undefined || selection.ids.size > 0);
  const { leftOut, ...arranged } = useArrangedColumns({
    list,
    columns: sortable,
    leaveOut: isPhone ? NONE : leaveOut,
    isBesideRecord: openId !== undefined,
    widthPx: hasBoxes && widthPx > CHECKBOX_PX ? widthPx - CHECKBOX_PX : widthPx,
  });
  const selected = rows.filter((row) => selection.ids.has(idOf(row)));

  const currentIndex = () =>
    openId === undefined
      ? rows.findIndex((row) => idOf(row) === grid.current?.state.focus.cell?.id)
      : rows.findIndex((row) => recordOf(row) === openId);
  const focus = (row: Row | undefined) => {
    const field = grid.current?.getVisibleColumns().find((column) => column.field !== CHECKBOX_FIELD)?.field;
    if (row === undefined || field === undefined) return;
    // A cell on screen takes the focus now, so that a later effect of the same change can still move it.
    const cell = grid.current?.getCellElement(idOf(row), field);
    if (cell) cell.focus();
    else grid.current?.setCellFocus(idOf(row), field);
  };
  const actions = useRef<ListHandle>(null);
  actions.current = {
    focusFirst: () => focus(rows[0]),
    focusRow: (id) => {
      const row = rows.find((each) => recordOf(each) === id);
      focus(row);
      return row !== undefined;
    },
    step: (offset) => {
      const index = currentIndex();
      const next = rows[index < 0 ? 0 : index + offset];
      if (next === undefined) return;
      if (openId === undefined) focus(next);
      else onOpen(next);
    },
  };
  const [handle] = useState<ListHandle>(() => ({
    focusFirst: () => actions.current?.focusFirst(),
    focusRow: (id) => actions.current?.focusRow(id) ?? false,
    step: (offset) => actions.current?.step(offset),
  }));
  useImperativeHandle(ref, () => handle, [handle]);
  const { setList, rowMenu } = useContext(ListContext);
  useLayoutEffect(() => {
    setList(handle);
    return () => setList(null);
  }, [setList, handle]);
  // The focused row may disappear while its record is open. The grid would then take the focus from the panel to another row.
  useEffect(() => {
    if (openId !== undefined) grid.current?.setState((state) => ({ ...state, focus: { ...state.focus, cell: null } }));
  }, [openId, grid]);
  useShortcuts(label, [
    { keys: 'J', label: t('Next record'), run: () => handle.step(1) },
    { keys: 'K', label: t('Previous record'), run: () => handle.step(-1) },
    ...rowKeys.map(({ run, ...key }) => ({ ...key, run: () => run(rows[currentIndex()] ?? (rows.length === 1 ? rows[0] : undefined)) })),
  ]);

  const onContextMenu = (event: MouseEvent<HTMLElement>) => {
    const row = rows.find((each) => idOf(each) === event.currentTarget.dataset.id);
    if (row === undefined || opensElsewhere || !rowMenu?.current) return;
    event.preventDefault();
    // The grid focuses a cell when the mouse button goes up, unless it has the focus: the menu would lose it.
    const field = (event.target as HTMLElement).closest<HTMLElement>('[data-field]')?.dataset.field;
    if (field !== undefined) grid.current?.setCellFocus(idOf(row), field);
    rowMenu.current({ id: recordOf(row), left: event.clientX, top: event.clientY, open: () => onOpen(row) });
  };

  return (
    <Box ref={frameRef} sx={{ flex: 1, minHeight: MIN_PX, display: 'flex', flexDirection: 'column', containerType: 'size' }}>
      <DataGrid<Row>
        {...arranged}
        apiRef={grid}
        aria-label={label}
        localeText={LOCALE_TEXT}
        rows={rows}
        getRowId={idOf}
        getRowClassName={({ row }) => (recordOf(row) === openId ? 'is-open' : '')}
        loading={query.isPlaceholderData}
        hideFooter
        paginationMode="server"
        rowCount={data.total}
        paginationModel={{ page: 0, pageSize: Math.max(1, rows.length) }}
        pageSizeOptions={[Math.max(1, rows.length)]}
        filterMode="server"
        disableColumnFilter
        sortingMode="server"
        sortingOrder={['asc', 'desc']}
        sortModel={sort ? [modelOf(sort.value)] : []}
        onSortModelChange={([model]) => {
          const next = sort?.allowed.find((each) => each === (model?.sort === 'desc' ? `-${model.field}` : model?.field));
          if (next !== undefined) sort?.onSort(next);
        }}
        checkboxSelection={hasBoxes}
        disableRowSelectionOnClick
        disableRowSelectionExcludeModel
        rowSelection={bulk.length > 0}
        rowSelectionModel={selection}
        onRowSelectionModelChange={setSelection}
        rowHeight={rowPx}
        columnHeaderHeight={HEADER_PX}
        onCellClick={({ field, row }) => field !== CHECKBOX_FIELD && onOpen(row)}
        onCellKeyDown={({ id, field, row }, event) => {
          if (event.key === ' ' && !event.shiftKey && bulk.length > 0 && field !== CHECKBOX_FIELD)
            setSelection(({ ids }) => ({
              type: 'include',
              ids: new Set(ids.has(id) ? [...ids].filter((other) => other !== id) : [...ids, id]),
            }));
          else if (event.key === 'Enter') onOpen(row);
          else return;
          event.preventDefault();
        }}
        slotProps={{ row: { onContextMenu }, loadingOverlay: { variant: 'linear-progress', noRowsVariant: 'skeleton' } }}
        sx={(theme) => ({
          border: `1px solid ${theme.vars.palette.divider}`,
          borderEndStartRadius: 0,
          borderEndEndRadius: 0,
          fontSize: 13,
          flex: '0 1 auto',
          maxHeight: maxHeightOf(rowPx, rows.length),
          '--DataGrid-t-color-border-base': theme.vars.palette.divider,
          '--DataGrid-t-header-background-base': theme.vars.palette.wash,
          backgroundColor: theme.vars.palette.background.paper,
          '& [data-field=phone] .MuiDataGrid-columnHeaderTitleContainerContent': {
            flex: 1,
            fontSize: 12,
            color: theme.vars.palette.text.secondary,
          },
          '& .MuiDataGrid-columnHeaderTitle': { fontSize: 12, fontWeight: 600, color: theme.vars.palette.text.secondary },
          '--DataGrid-rowBorderColor': theme.vars.palette.divider,
          '& .MuiDataGrid-row': { cursor: 'pointer' },
          // The whole row is the target of Enter, so the ring is around it.
          '& .MuiDataGrid-cell:focus, & .MuiDataGrid-cell:focus-within': { outline: 'none' },
          '& .MuiDataGrid-row:has(> .MuiDataGrid-cell:focus, > .MuiDataGrid-cell :focus-visible)': {
            outline: `2px solid ${theme.vars.palette.primary.main}`,
            outlineOffset: -2,
          },
          '& .MuiDataGrid-row--dynamicHeight > .MuiDataGrid-cell': { display: 'flex', alignItems: 'center', py: 2, lineHeight: '18px' },
          '& .MuiDataGrid-row.is-open': { backgroundColor: theme.vars.palette.tone.primary.tint },
          // A state that is as it should be is plain text, so that the others stand out.
          '& [data-tone=success]': {
            px: 0,
            color: 'inherit',
            backgroundColor: 'transparent',
            fontSize: 13,
            fontWeight: 400,
            '& svg': { display: 'none' },
          },
          '& .MuiDataGrid-columnSeparator': { color: 'transparent' },
          '& .MuiDataGrid-cell--flex.MuiDataGrid-cell--textRight': { justifyContent: 'flex-end' },
        })}
      />
      <NarrowListContext value={widthPx > 0 && widthPx < NARROW_PX}>
        <ListFooter
          page={page}
          limit={data.limit}
          total={data.total}
          leftOut={leftOut}
          onPage={onPage}
          // Beside a record, the footer has room for the totals and the pages only.
          goTo={openId === undefined && goTo}
          onColumns={() => grid.current?.showPreferences('columns' as never)}
        >
          {selected.length > 0 ? (
            <BulkBar rows={selected} actions={bulk} idOf={idOf} nameOf={nameOf} onClear={() => setSelection(NO_SELECTION)} />
          ) : (
            totals
          )}
        </ListFooter>
      </NarrowListContext>
    </Box>
  );
}
