import Box from '@mui/material/Box';
import type { GridColDef, GridRenderCellParams, GridValidRowModel } from '@mui/x-data-grid';
import type { ReactNode } from 'react';
import { NAME_FIELDS, STATUS_FIELDS } from './arranged-columns.ts';

/** Height of a row with two lines. */
export const PHONE_ROW_PX = 60;
/** Fields that say whom a row is about if it has no name. */
const NAMELESS_FIELDS = ['card', 'text', 'description', 'openedBy', 'kind', 'action', 'type'];

/** Returns the only column of a list on a phone, in two lines: name and amount, then the first other text and the status, or the end. */
export function phoneColumn<Row extends GridValidRowModel>(
  columns: readonly GridColDef<Row>[],
  leaveOut: readonly string[],
): GridColDef<Row> {
  const isAmount = ({ align }: GridColDef<Row>) => align === 'right';
  const isStatus = ({ field }: GridColDef<Row>) => STATUS_FIELDS.includes(field);
  const texts = columns.filter((column) => !isAmount(column) && !isStatus(column));
  const named = [...NAME_FIELDS, ...NAMELESS_FIELDS].flatMap((field) => texts.filter((column) => column.field === field));
  const names = named.length > 0 ? named : texts.slice(0, 1);
  const others = texts.filter((column) => !names.includes(column));
  const amount = columns.find((column) => isAmount(column) && !leaveOut.includes(column.field));
  const status = columns.find(isStatus);
  const isEnd = status?.field === 'expires';
  return {
    field: 'phone',
    flex: 1,
    disableColumnMenu: true,
    headerName: [names[0], amount].flatMap((column) => column?.headerName ?? []).join(', '),
    renderHeader: () => (
      <Line>
        <span>{names[0]?.headerName}</span>
        <span>{amount?.headerName}</span>
      </Line>
    ),
    renderCell: (params) => {
      const [first, ...rest] = [...names, ...others].filter((column) => !isEmpty(cellOf(column, params)));
      const second = rest.find((column) => others.includes(column));
      return (
        <Box sx={{ flex: 1, minWidth: 0, display: 'grid', rowGap: 0.5, lineHeight: '20px' }}>
          <Line>
            <Box component="span" sx={{ ...ONE_LINE, fontWeight: 550 }}>
              {first && cellOf(first, params)}
            </Box>
            <span data-cell="amount">{amount && cellOf(amount, params)}</span>
          </Line>
          <Line>
            <Box component="span" sx={{ ...ONE_LINE, color: 'text.secondary' }}>
              {isEnd ? `${status.headerName} ` : second && cellOf(second, params)}
              {isEnd && cellOf(status, params)}
            </Box>
            {/* Its icon would take the room of the time. */}
            <Box component="span" sx={{ '& svg': { display: 'none' } }}>
              {!isEnd && status && cellOf(status, params)}
            </Box>
          </Line>
        </Box>
      );
    },
  };
}

const ONE_LINE = { minWidth: 0, overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' } as const;

function Line({ children }: { readonly children: ReactNode }) {
  return <Box sx={{ display: 'flex', flex: 1, minWidth: 0, justifyContent: 'space-between', gap: 3 }}>{children}</Box>;
}

const isEmpty = (cell: ReactNode) => cell === '' || cell === null || cell === undefined;

function cellOf<Row extends GridValidRowModel>(column: GridColDef<Row>, params: GridRenderCellParams<Row>) {
  const { row, api } = params;
  const field = row[column.field] as never;
  const value = column.valueGetter ? column.valueGetter(field, row, column, { current: api } as never) : field;
  return column.renderCell ? column.renderCell({ ...params, field: column.field, value, formattedValue: value }) : (value ?? '');
}
