import Box from '@mui/material/Box';
import type { GridColDef } from '@mui/x-data-grid';
import type { BankLine } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { moneyColumn, WrappedText } from '#renderer/kit/data-table';
import { dayText, StatusChip } from '#renderer/kit/ui';
import { briefText } from './texts.ts';

/** Column that gets the focus when the focus enters the list. */
export const FIRST_FIELD = 'day';

/** Columns of bank lines. A suggestion has a dashed frame, because nothing is posted from it. */
export function lineColumns(currency: string): GridColDef<BankLine>[] {
  return [
    { field: FIRST_FIELD, headerName: t('Date'), width: 120, valueGetter: (_, row) => dayText(row.day) },
    { field: 'text', headerName: t('Bank text'), flex: 1.3, minWidth: 200 },
    moneyColumn('amount', t('Amount, {{currency}}', { currency }), { width: 136 }, currency, (row) => row.amount),
    {
      field: 'match',
      headerName: t('Match'),
      flex: 1.3,
      minWidth: 220,
      valueGetter: (_, row) => briefText(row),
      renderCell: ({ row }) => <Match line={row} />,
    },
    {
      field: 'state',
      headerName: t('Status'),
      width: 116,
      renderCell: ({ row }) => <StatusChip state={statusOf(row)} label={labelOf(row)} />,
    },
  ];
}

const needsDecision = ({ state, suggestion }: BankLine) => state === 'open' && suggestion !== null && suggestion.parts.length === 0;
const statusOf = (line: BankLine) => (needsDecision(line) ? 'warning' : line.state);
const labelOf = (line: BankLine) =>
  needsDecision(line)
    ? t('Check', { context: 'verify' })
    : line.state === 'open' && line.matches.length > 0
      ? t('Partly matched')
      : line.state === 'open'
        ? t('Open', { context: 'line' })
        : t('Matched', { context: 'line' });

function Match({ line }: { line: BankLine }) {
  const text = briefText(line);
  if (text === '') return null;
  const isSuggested = line.state === 'open' && line.matches.length === 0;
  return (
    <Box
      component="span"
      sx={(theme) => ({
        ...(isSuggested && {
          display: 'inline-flex',
          px: 1.5,
          border: `1px dashed ${theme.vars.palette.outline}`,
          borderRadius: 1,
          color: theme.vars.palette.text.secondary,
        }),
      })}
    >
      <WrappedText text={text} />
    </Box>
  );
}
