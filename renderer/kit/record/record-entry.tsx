import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import type { ReactNode } from 'react';
import { Link as RouterLink, type To } from 'react-router';
import { Entry, MoneyText, type RecordKind, StatusChip } from '#renderer/kit/ui';

interface RecordEntryProps {
  readonly to: To;
  readonly name: ReactNode;
  /** Status with the kind of the record, if its statuses have labels of their own. */
  readonly state?: string;
  readonly of?: RecordKind;
  readonly note?: ReactNode;
  readonly amount?: number | undefined;
  readonly currency: string;
}

/** An entry that leads to a record: its name, its status, a note and its amount. */
export function RecordEntry({ to, name, state, of, note, amount, currency }: RecordEntryProps) {
  return (
    <Entry>
      <Link component={RouterLink} to={to} sx={{ fontWeight: 550, overflowWrap: 'anywhere' }}>
        {name}
      </Link>
      {state !== undefined && <StatusChip state={state} of={of} />}
      <Box component="span" sx={{ color: 'text.secondary', overflowWrap: 'anywhere' }}>
        {note}
      </Box>
      <Box component="span" sx={{ marginInlineStart: 'auto', fontWeight: 600 }}>
        {amount !== undefined && <MoneyText amount={amount} currency={currency} code />}
      </Box>
    </Entry>
  );
}
