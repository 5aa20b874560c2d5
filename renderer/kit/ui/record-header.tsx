import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import type { ReactNode, Ref } from 'react';
import { MoneyText } from './money-text.tsx';
import { StatusChip } from './status-chip.tsx';
import type { RecordKind } from './status-labels.ts';

interface RecordHeaderProps {
  readonly amount: number;
  readonly currency: string;
  readonly status: string;
  /** Kind of the record, if its statuses have labels of their own. */
  readonly of?: RecordKind | undefined;
  readonly headingRef: Ref<HTMLHeadingElement>;
  /** Facts beside the status. */
  readonly children?: ReactNode;
  /** Text below the status. */
  readonly note?: ReactNode;
}

/** Head of the details of a record: its amount as heading, and its status. It leaves room for the button that closes the drawer. */
export function RecordHeader({ amount, currency, status, of, headingRef, children, note }: RecordHeaderProps) {
  return (
    <Box component="header" sx={{ paddingInlineEnd: 10 }}>
      <Typography variant="h2" ref={headingRef} tabIndex={-1} sx={{ fontSize: 28, lineHeight: '36px' }}>
        <MoneyText amount={amount} currency={currency} code />
      </Typography>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 2, mt: 1.5, fontSize: 13, color: 'text.secondary' }}>
        <StatusChip state={status} of={of} />
        {children}
      </Box>
      {note && <Box sx={{ mt: 2 }}>{note}</Box>}
    </Box>
  );
}
