import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import type { GridColDef } from '@mui/x-data-grid';
import type { KeyboardEvent, MouseEvent } from 'react';
import type { Merchant, UnconfirmedOperation } from '#renderer/base/client';
import { serviceText, t } from '#renderer/base/language';
import { formatDuration, MoneyText, StatusChip } from '#renderer/kit/ui';
import { chipOf, inquiriesText, operationName, paidWith } from './texts.ts';

interface RowActions {
  /** ID of the operation whose inquiry is running. */
  readonly inquiringId: string | undefined;
  /** Null without the permission to inquire. */
  readonly inquire: ((operation: UnconfirmedOperation) => void) | null;
  /** Null without the permission to record an outcome. */
  readonly recordOutcome: ((operation: UnconfirmedOperation) => void) | null;
}

/** Current time of the tenant, for ages, and of this computer, for inquiries. */
interface CurrentTimes {
  readonly tenantMs: number;
  readonly realMs: number;
}

const LINES = { overflowWrap: 'anywhere' } as const;

/** Columns of the list; without permissions there is no column for actions. */
export function columnsFor({ currency }: Merchant, now: CurrentTimes, actions: RowActions): GridColDef<UnconfirmedOperation>[] {
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
    ...(actions.inquire || actions.recordOutcome ? [actionColumn(actions)] : []),
  ];
}

function actionColumn({ inquiringId, inquire, recordOutcome }: RowActions): GridColDef<UnconfirmedOperation> {
  return {
    field: 'actions',
    headerName: t('Actions'),
    minWidth: 148,
    renderCell: ({ row, tabIndex }) => (
      <Box sx={{ display: 'grid', gap: 1 }} onKeyDown={stopEnter}>
        {inquire && row.actions.inquire.allowed && row.stage === 'open' && (
          <Button size="small" tabIndex={tabIndex} loading={inquiringId === row.id} onClick={withoutRowClick(() => inquire(row))}>
            {t('Check now')}
          </Button>
        )}
        {recordOutcome && row.actions.conclude.allowed && (
          <Button size="small" tabIndex={tabIndex} onClick={withoutRowClick(() => recordOutcome(row))}>
            {t('Record outcome…')}
          </Button>
        )}
        {recordOutcome && row.actions.acknowledge.allowed && (
          <Button size="small" tabIndex={tabIndex} onClick={withoutRowClick(() => recordOutcome(row))}>
            {t('Resolve…')}
          </Button>
        )}
      </Box>
    ),
  };
}

/** Runs an action without a click on the row. */
const withoutRowClick = (run: () => void) => (event: MouseEvent) => {
  event.stopPropagation();
  run();
};

/** Keeps Enter and Space on a button from opening the row. */
function stopEnter(event: KeyboardEvent): void {
  if (event.key === 'Enter' || event.key === ' ') event.stopPropagation();
}
