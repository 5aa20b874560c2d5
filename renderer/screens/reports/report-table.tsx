import Box from '@mui/material/Box';
import MuiLink from '@mui/material/Link';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableFooter from '@mui/material/TableFooter';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import { Link } from 'react-router';
import { writeAmount } from '#renderer/money';
import type { Column, Report, Row } from './report.ts';
import { rateText } from './texts.ts';

interface ReportTableProps {
  readonly label: string;
  readonly report: Report;
  /** Address of a row's transactions; absent for users who may not see them. */
  readonly addressOf?: (row: Row) => string;
  readonly onOpen: (row: Row) => void;
}

/** Rows of a chart in figures with their totals. A row's name links to its transactions. */
export function ReportTable({ label, report, addressOf, onOpen }: ReportTableProps) {
  const { columns, rows, totals, currency } = report;
  return (
    <Box
      tabIndex={0}
      role="region"
      aria-label={`${label}, table`}
      sx={(theme) => ({
        overflowX: 'auto',
        border: `1px solid ${theme.vars.palette.divider}`,
        borderRadius: 1,
        backgroundColor: theme.vars.palette.background.paper,
        '&:focus-visible': { outline: `2px solid ${theme.vars.palette.primary.main}`, outlineOffset: 1 },
      })}
    >
      <Table size="small" aria-label={label} sx={TABLE}>
        <TableHead>
          <TableRow>
            <TableCell />
            {columns.map(({ name, kind }) => (
              <TableCell key={name} align="right">
                {kind === 'money' ? `${name}, ${currency}` : name}
              </TableCell>
            ))}
          </TableRow>
        </TableHead>
        <TableBody>
          {rows.map((row) => (
            <TableRow key={row.key} hover={addressOf !== undefined} data-row={row.key}>
              <TableCell component="th" scope="row">
                {addressOf ? (
                  <MuiLink
                    component={Link}
                    to={addressOf(row)}
                    onClick={(event: React.MouseEvent) => {
                      if (event.metaKey || event.ctrlKey || event.shiftKey) return;
                      event.preventDefault();
                      onOpen(row);
                    }}
                  >
                    {row.name}
                  </MuiLink>
                ) : (
                  row.name
                )}
                {row.isPartial && (
                  <Box component="span" sx={{ color: 'text.secondary' }}>
                    {' '}
                    so far
                  </Box>
                )}
              </TableCell>
              <Figures columns={columns} values={row.cells} currency={currency} />
            </TableRow>
          ))}
        </TableBody>
        <TableFooter>
          <TableRow data-row="total">
            <TableCell component="th" scope="row">
              Total
            </TableCell>
            <Figures columns={columns} values={totals} currency={currency} />
          </TableRow>
        </TableFooter>
      </Table>
    </Box>
  );
}

interface FiguresProps {
  readonly columns: readonly Column[];
  readonly values: readonly number[];
  readonly currency: string;
}

function Figures({ columns, values, currency }: FiguresProps) {
  return columns.map(({ name, kind }, at) => {
    const value = values[at] ?? 0;
    return (
      <TableCell key={name} align="right" sx={value === 0 ? { color: 'text.secondary' } : {}}>
        {kind === 'money'
          ? writeAmount(value, currency).replace('-', '−')
          : kind === 'rate'
            ? rateText(value)
            : value.toLocaleString('en-US')}
      </TableCell>
    );
  });
}

const TABLE = {
  '& th, & td': { fontSize: 13, whiteSpace: 'nowrap', py: 1.5, borderColor: 'divider' },
  '& tbody th': { fontWeight: 400 },
  '& td': { fontVariantNumeric: 'tabular-nums' },
  '& thead th, & thead td': { fontSize: 12, fontWeight: 600, color: 'text.secondary', backgroundColor: 'wash' },
  '& tfoot th, & tfoot td': { fontSize: 13, fontWeight: 600, color: 'text.primary', borderBottom: 0 },
  '& tbody tr:last-of-type th, & tbody tr:last-of-type td': { borderColor: 'outline' },
} as const;
