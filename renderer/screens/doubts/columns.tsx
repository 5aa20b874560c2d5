import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import type { GridColDef } from '@mui/x-data-grid';
import type { KeyboardEvent, MouseEvent } from 'react';
import type { Doubt, Merchant } from '#renderer/client';
import { MoneyText, StatusChip, stretch } from '#renderer/ui';
import { canBeDecided, chipOf, hasEnded, isOpen, lastAsked, nextAsked, paidWith, whatIs } from './words.ts';

interface DoubtActions {
  /** The doubt that is being asked about. */
  readonly askedId: string | undefined;
  /** Null without the permission to inquire. */
  readonly ask: ((doubt: Doubt) => void) | null;
  /** Null without the permission to decide. */
  readonly decide: ((doubt: Doubt) => void) | null;
}

/** The tenant's present, by which a doubt grows old, and this machine's, by which a gateway is asked. */
interface Present {
  readonly tenantMs: number;
  readonly realMs: number;
}

/** Columns of the list; without permissions there is no column for actions. */
export function columnsFor({ currency }: Merchant, now: Present, actions: DoubtActions): GridColDef<Doubt>[] {
  return [
    { field: 'since', headerName: 'Age', flex: 0.5, minWidth: 64, valueGetter: (_, row) => stretch(now.tenantMs - Date.parse(row.since)) },
    {
      field: 'state',
      headerName: 'State',
      flex: 0.6,
      minWidth: actions.decide ? 104 : 144,
      renderCell: ({ row }) => <StatusChip {...chipOf(row, actions.decide !== null)} />,
    },
    { field: 'operation', headerName: 'What', flex: 0.6, minWidth: 108, valueGetter: (_, row) => whatIs(row) },
    {
      field: 'amount',
      headerName: `Amount, ${currency}`,
      flex: 0.6,
      minWidth: 104,
      align: 'right',
      headerAlign: 'right',
      renderCell: ({ row }) => (
        <MoneyText amount={row.amount} currency={row.currency} code={row.currency !== currency} sx={{ fontWeight: 600 }} />
      ),
    },
    {
      field: 'card',
      headerName: 'Paid with, at',
      flex: 0.8,
      minWidth: 120,
      valueGetter: (_, row) => `${paidWith(row)}, ${row.gateway}`,
      renderCell: ({ row }) => (
        <Box sx={{ lineHeight: '18px', overflowWrap: 'anywhere' }}>
          {paidWith(row)}
          <Box sx={{ color: 'text.secondary' }}>{row.gateway}</Box>
        </Box>
      ),
    },
    {
      field: 'lastInquiryAt',
      headerName: 'Asked',
      flex: 0.6,
      minWidth: 104,
      valueGetter: (_, row) => [lastAsked(row, now.realMs), nextAsked(row, now.realMs)].filter(Boolean).join('; next '),
    },
    {
      field: 'words',
      headerName: 'What happens next',
      flex: 2.4,
      minWidth: 316,
      renderCell: ({ row }) => <Box sx={{ py: 2, lineHeight: '18px' }}>{row.words}</Box>,
    },
    ...(actions.ask || actions.decide ? [actionColumn(actions)] : []),
  ];
}

function actionColumn({ askedId, ask, decide }: DoubtActions): GridColDef<Doubt> {
  return {
    field: 'actions',
    headerName: 'Actions',
    minWidth: 112,
    renderCell: ({ row, tabIndex }) => (
      <Box sx={{ display: 'grid', gap: 1, py: 1 }} onKeyDown={keepEnter}>
        {ask && isOpen(row) && (
          <Button size="small" tabIndex={tabIndex} loading={askedId === row.id} onClick={alone(() => ask(row))}>
            Ask now
          </Button>
        )}
        {decide && canBeDecided(row) && (
          <Button size="small" tabIndex={tabIndex} onClick={alone(() => decide(row))}>
            Decide…
          </Button>
        )}
        {decide && hasEnded(row) && (
          <Button size="small" tabIndex={tabIndex} onClick={alone(() => decide(row))}>
            Seen to…
          </Button>
        )}
      </Box>
    ),
  };
}

/** A click on a button is not one on the row. */
const alone = (act: () => void) => (event: MouseEvent) => {
  event.stopPropagation();
  act();
};

/** Nor is an Enter. */
function keepEnter(event: KeyboardEvent): void {
  if (event.key === 'Enter' || event.key === ' ') event.stopPropagation();
}
