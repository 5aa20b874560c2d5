import Box from '@mui/material/Box';
import MuiLink from '@mui/material/Link';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableFooter from '@mui/material/TableFooter';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import { Link } from 'react-router';
import { numberText, t } from '#renderer/base/language';
import { writeAmount } from '#renderer/base/money';
import { daysText, rateText } from '#renderer/shared/reporting';
import { type Column, type Report, type Row, rowChange, totalChange } from './report.ts';

interface ReportTableProps {
  readonly label: string;
  readonly report: Report;
  /** Address of a row's transactions; absent for users who may not see them. */
  readonly addressOf?: (row: Row) => string;
  readonly onOpen: (row: Row) => void;
}

/** Rows of a chart in figures with their totals. A row's name links to its transactions. */
export function ReportTable({ label, report, addressOf, onOpen }: ReportTableProps) {
  const { columns, rows, totals, currency, compared, barKind } = report;
  const money = barKind === 'money' ? currency : undefined;
  const comparedName = `${report.bars.length === 1 ? report.bars[0] : columns[0]?.name}, ${compared ? daysText(compared.days) : ''}`;
  return (
    <Box
      tabIndex={0}
      role="region"
      aria-label={t('{{report}}, table', { report: label })}
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
            <TableCell component="td" />
            {columns.map(({ name, kind }) => (
              <TableCell key={name} align="right">
                {kind === 'money' ? `${name}, ${currency}` : name}
              </TableCell>
            ))}
            {compared && (
              <>
                <TableCell align="right">{money === undefined ? comparedName : `${comparedName}, ${money}`}</TableCell>
                <TableCell align="right">{t('Change', { context: 'difference' })}</TableCell>
              </>
            )}
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
                    {t('so far')}
                  </Box>
                )}
              </TableCell>
              <Figures columns={columns} values={row.cells} currency={currency} />
              {row.compared && (
                <ComparisonCells value={row.compared.value} title={row.compared.name} change={rowChange(row, money)} currency={money} />
              )}
            </TableRow>
          ))}
        </TableBody>
        <TableFooter>
          <TableRow data-row="total">
            <TableCell component="th" scope="row">
              {t('Total')}
            </TableCell>
            <Figures columns={columns} values={totals} currency={currency} />
            {compared && <ComparisonCells value={compared.total} title="" change={totalChange(report, money)} currency={money} />}
          </TableRow>
        </TableFooter>
      </Table>
    </Box>
  );
}

interface ComparisonCellsProps {
  readonly value: number;
  /** Name of the compared day, week or month. */
  readonly title: string;
  readonly change: string;
  /** Absent for counts. */
  readonly currency: string | undefined;
}

/** Value of the compared period, and the change in percent. */
function ComparisonCells({ value, title, change, currency }: ComparisonCellsProps) {
  return (
    <>
      <TableCell align="right" title={title} sx={{ color: 'text.secondary' }}>
        {currency === undefined ? numberText(value) : writeAmount(value, currency).replace('-', '−')}
      </TableCell>
      <TableCell align="right">{change}</TableCell>
    </>
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
        {kind === 'money' ? writeAmount(value, currency).replace('-', '−') : kind === 'rate' ? rateText(value) : numberText(value)}
      </TableCell>
    );
  });
}

const TABLE = {
  '& th, & td': { fontSize: 13, whiteSpace: 'nowrap', py: 1.5, borderColor: 'divider' },
  '& tbody th': { fontWeight: 400, whiteSpace: 'normal', minWidth: 144 },
  '& td': { fontVariantNumeric: 'tabular-nums' },
  '& thead th, & thead td': { fontSize: 12, fontWeight: 600, color: 'text.secondary', backgroundColor: 'wash' },
  '& tfoot th, & tfoot td': { fontSize: 13, fontWeight: 600, color: 'text.primary', borderBottom: 0 },
  '& tbody tr:last-of-type th, & tbody tr:last-of-type td': { borderColor: 'outline' },
} as const;
