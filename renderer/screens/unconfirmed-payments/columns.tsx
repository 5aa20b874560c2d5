import Box from '@mui/material/Box';
import type { GridColDef } from '@mui/x-data-grid';
import type { KeyboardEvent } from 'react';
import type { Merchant, UnconfirmedOperation } from '#renderer/base/client';
import { serviceText, t } from '#renderer/base/language';
import { type RecordAction, RecordActions } from '#renderer/kit/record';
import { formatDuration, MoneyText, StatusChip } from '#renderer/kit/ui';
import { chipOf, inquiriesText, operationName, paidWith } from './texts.ts';

/** Current time of the tenant, for ages, and of this computer, for inquiries. */
interface CurrentTimes {
  readonly tenantMs: number;
  readonly realMs: number;
}

const LINES = { overflowWrap: 'anywhere' } as const;

/** Columns of the list; `actionsOf` is null for a caller who may do nothing. */
export function columnsFor(
  { currency }: Merchant,
  now: CurrentTimes,
  actionsOf: ((operation: UnconfirmedOperation) => readonly RecordAction[]) | null,
): GridColDef<UnconfirmedOperation>[] {
  return [
    {
      field: 'since',
      headerName: t('Age'),
      flex: 0.5,
      minWidth: 72,
      valueGetter: (_, row) => formatDuration(now.tenantMs - Date.parse(row.since)),
    },
    {
      field: 'state',
      headerName: t('Status'),
      flex: 0.6,
      minWidth: 140,
      renderCell: ({ row }) => <StatusChip {...chipOf(row)} />,
    },
    {
      field: 'operation',
      headerName: t('Operation'),
      flex: 1,
      minWidth: 124,
      valueGetter: (_, row) => `${operationName(row)}, ${paidWith(row)}, ${row.gateway}`,
      renderCell: ({ row }) => (
        <Box sx={LINES}>
          {operationName(row)}
          <Box>{paidWith(row)}</Box>
          <Box sx={{ color: 'text.secondary' }}>{row.gateway}</Box>
        </Box>
      ),
    },
    {
      field: 'amount',
      headerName: t('Amount, {{currency}}', { currency }),
      flex: 0.6,
      minWidth: 96,
      align: 'right',
      headerAlign: 'right',
      renderCell: ({ row }) => (
        <MoneyText amount={row.amount} currency={row.currency} code={row.currency !== currency} sx={{ fontWeight: 600 }} />
      ),
    },
    {
      field: 'nextStep',
      headerName: t('What happens next'),
      flex: 2.4,
      minWidth: 188,
      renderCell: ({ row }) => (
        <Box sx={LINES}>
          {serviceText(row.message)}
          <Box sx={{ color: 'text.secondary' }}>{inquiriesText(row, now.realMs)}</Box>
        </Box>
      ),
    },
    ...(actionsOf ? [actionColumn(actionsOf)] : []),
  ];
}

function actionColumn(actionsOf: (operation: UnconfirmedOperation) => readonly RecordAction[]): GridColDef<UnconfirmedOperation> {
  return {
    field: 'actions',
    headerName: t('Actions'),
    minWidth: 176,
    renderCell: ({ row, tabIndex }) => (
      // A click on a button doesn't open the row.
      <Box onClick={(event) => event.stopPropagation()} onKeyDown={stopEnter}>
        <RecordActions group={t('Actions')} isPart tabIndex={tabIndex} actions={actionsOf(row)} />
      </Box>
    ),
  };
}

/** Keeps Enter and Space on a button from opening the row. */
function stopEnter(event: KeyboardEvent): void {
  if (event.key === 'Enter' || event.key === ' ') event.stopPropagation();
}
