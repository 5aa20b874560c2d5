import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import { useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import type { Transaction } from '#renderer/client';
import { StatusChip } from '#renderer/ui';
import { doubtQuery } from '../queries.ts';
import { type Doubt, useDoubts } from './doubts.ts';

interface DoubtListProps {
  /** The charge that the screen itself is waiting for; it is not listed. */
  readonly watched: string | null;
  readonly onSettled: (doubt: Doubt, transaction: Transaction) => void;
}

interface Ended {
  readonly doubt: Doubt;
  readonly status: string;
}

/** Watches every charge in doubt until its outcome is known. Those that the clerk has gone on from are listed, and their outcome stays until it is dismissed. */
export function DoubtList({ watched, onSettled }: DoubtListProps) {
  const open = useDoubts((doubts) => doubts.open);
  const [ended, setEnded] = useState<readonly Ended[]>([]);
  const settle = useDoubts((doubts) => doubts.settle);
  const settled = (doubt: Doubt, transaction: Transaction) => {
    if (!useDoubts.getState().open.includes(doubt)) return;
    settle(doubt.transactionId);
    if (doubt.transactionId !== watched) setEnded((before) => [...before, { doubt, status: transaction.status }]);
    onSettled(doubt, transaction);
  };
  const listed = open.filter(({ transactionId }) => transactionId !== watched);
  return (
    <>
      {open.map((doubt) => (
        <DoubtWatch key={doubt.transactionId} doubt={doubt} onSettled={settled} />
      ))}
      {listed.length + ended.length > 0 && (
        <Box component="section" aria-label="Checked with the processor" sx={{ display: 'grid', gap: 2 }}>
          {listed.map((doubt) => (
            <Line key={doubt.transactionId} doubt={doubt} chip={<StatusChip state="in_doubt" word="Checking" />} />
          ))}
          {ended.map(({ doubt, status }) => (
            <Line key={doubt.transactionId} doubt={doubt} chip={<StatusChip state={status} />}>
              <IconButton
                size="small"
                aria-label={`Dismiss ${doubt.means}, ${doubt.amount}`}
                onClick={() => setEnded((before) => before.filter((other) => other.doubt !== doubt))}
              >
                <X size={14} aria-hidden />
              </IconButton>
            </Line>
          ))}
        </Box>
      )}
    </>
  );
}

function Line({ doubt, chip, children }: { doubt: Doubt; chip: ReactNode; children?: ReactNode }) {
  return (
    <Box sx={{ display: 'flex', gap: 2, alignItems: 'center', fontSize: 13, minHeight: 28 }}>
      {chip}
      <Box component="span" sx={{ flex: 1 }}>
        {doubt.means}, {doubt.amount} {doubt.currency}
      </Box>
      {children}
    </Box>
  );
}

const NOT_FOUND = 404;

function DoubtWatch({ doubt, onSettled }: { doubt: Doubt; onSettled: (doubt: Doubt, transaction: Transaction) => void }) {
  const { data, error } = useQuery(doubtQuery(doubt.transactionId));
  const settle = useDoubts((doubts) => doubts.settle);
  const isUnknown = error?.status === NOT_FOUND;
  useEffect(() => {
    // Deferred, so that the callback may change the screen and the focus.
    if (data && data.status !== 'pending') queueMicrotask(() => onSettled(doubt, data));
  }, [data, doubt, onSettled]);
  // Of another business, signed in to in this tab before.
  useEffect(() => {
    if (isUnknown) settle(doubt.transactionId);
  }, [isUnknown, settle, doubt]);
  return null;
}
