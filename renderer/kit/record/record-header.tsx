import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import type { ReactNode, Ref } from 'react';
import { AddressBreaks, MoneyText, type RecordKind, StatusChip } from '#renderer/kit/ui';

interface RecordHeaderProps {
  /** The amount as heading, in minor units, or a name. */
  readonly title: { readonly amount: number; readonly currency: string } | string;
  /** Text beside the amount, such as its frequency. */
  readonly after?: string;
  /** Statuses of the record. */
  readonly status?: string | readonly string[];
  /** Kind of the record, if its statuses have labels of their own. */
  readonly of?: RecordKind | undefined;
  readonly headingRef: Ref<HTMLHeadingElement>;
  /** Facts beside the status. */
  readonly children?: ReactNode;
  /** Text below the status. */
  readonly note?: ReactNode;
}

/** Head of a record, which stays in view: its amount or name, and its status. It leaves room for the buttons of the panel. */
export function RecordHeader({ title, after, status = [], of, headingRef, children, note }: RecordHeaderProps) {
  const isName = typeof title === 'string';
  return (
    <Box
      data-head
      sx={{
        position: 'sticky',
        top: -16,
        zIndex: 1,
        mx: { xs: -5, md: -6 },
        mt: -4,
        mb: -2,
        px: { xs: 5, md: 6 },
        pt: 4,
        pb: 2,
        paddingInlineEnd: { xs: 30, md: 30 },
        backgroundColor: 'background.paper',
        '@media print': { position: 'static' },
      }}
    >
      <Typography
        variant="h2"
        ref={headingRef}
        tabIndex={-1}
        sx={isName ? { fontSize: 20, lineHeight: '28px', overflowWrap: 'anywhere' } : { fontSize: 28, lineHeight: '36px' }}
      >
        {isName ? <AddressBreaks text={title} /> : <MoneyText {...title} code />}
        {after && (
          <Box component="span" sx={{ marginInlineStart: 2, fontSize: 16, fontWeight: 500 }}>
            {after}
          </Box>
        )}
      </Typography>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 2, mt: 1, fontSize: 13, color: 'text.secondary' }}>
        {[status].flat().map((state) => (
          <StatusChip key={state} state={state} of={of} />
        ))}
        {children}
      </Box>
      {note && <Box sx={{ mt: 1, fontSize: 13, color: 'text.secondary' }}>{note}</Box>}
    </Box>
  );
}
