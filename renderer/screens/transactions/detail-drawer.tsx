import Box from '@mui/material/Box';
import Drawer from '@mui/material/Drawer';
import IconButton from '@mui/material/IconButton';
import Skeleton from '@mui/material/Skeleton';
import { useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { useRef } from 'react';
import { Answer, KeyLayer } from '#renderer/ui';
import { Detail } from './detail.tsx';
import { detailQuery, rowInLists } from './queries.ts';

export interface DetailDrawerProps {
  /** The transaction that is open; undefined closes the drawer. */
  readonly transactionId: string | undefined;
  readonly onClose: () => void;
  /** When it is out of sight. */
  readonly onClosed: (transactionId: string) => void;
  readonly onOpen: (transactionId: string) => void;
}

const WIDTH_PX = { sm: 560, lg: 640 } as const;

/** One transaction beside the list, which keeps its place. Its keys (R, V, C, P) work while it is open. */
export function DetailDrawer({ transactionId, onClose, onClosed, onOpen }: DetailDrawerProps) {
  const shownId = useLastDefined(transactionId);
  return (
    <Drawer
      anchor="right"
      open={transactionId !== undefined}
      onClose={onClose}
      disableRestoreFocus
      slotProps={{
        transition: { onExited: () => shownId && onClosed(shownId) },
        backdrop: { invisible: true },
        paper: {
          role: 'dialog',
          'aria-modal': true,
          'aria-label': 'Transaction',
          sx: { width: { xs: '100%', sm: WIDTH_PX.sm, lg: WIDTH_PX.lg }, boxShadow: '-12px 0 32px rgb(8 14 20 / 0.14)' },
        },
      }}
    >
      <KeyLayer isBlocking={false}>
        {shownId && <Opened key={shownId} transactionId={shownId} isOpen={transactionId !== undefined} onClose={onClose} onOpen={onOpen} />}
      </KeyLayer>
    </Drawer>
  );
}

interface OpenedProps {
  readonly transactionId: string;
  /** False while the drawer is on its way out. */
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onOpen: (transactionId: string) => void;
}

function Opened({ transactionId, isOpen, onClose, onOpen }: OpenedProps) {
  const row = rowInLists(transactionId);
  const detail = useQuery({ ...detailQuery(transactionId), ...(row && { placeholderData: { ...row, history: [] } }) });
  return (
    <Box sx={{ position: 'relative', p: { xs: 5, sm: 7 }, pt: { xs: 5, sm: 6 } }}>
      <IconButton aria-label="Close" onClick={onClose} sx={{ position: 'absolute', top: 12, right: 12 }}>
        <X size={18} aria-hidden />
      </IconButton>
      <Answer of={detail} skeleton={<DetailSkeleton />}>
        {(transaction) => <Detail transaction={transaction} isPartial={detail.isPlaceholderData} takesFocus={isOpen} onOpen={onOpen} />}
      </Answer>
    </Box>
  );
}

function DetailSkeleton() {
  return (
    <Box sx={{ display: 'grid', gap: 4 }}>
      <Skeleton height={36} width="50%" />
      <Skeleton height={56} />
      <Skeleton height={36} />
      <Skeleton height={180} />
    </Box>
  );
}

/** What was there last, so that a drawer on its way out does not go blank. */
function useLastDefined(value: string | undefined): string | undefined {
  const last = useRef(value);
  if (value !== undefined) last.current = value;
  return last.current;
}
