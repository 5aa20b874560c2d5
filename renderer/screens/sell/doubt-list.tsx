import Box from '@mui/material/Box';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Transaction } from '#renderer/client';
import { StatusChip } from '#renderer/ui';
import { type Doubt, useDoubts } from './doubts.ts';
import { doubtQuery } from './queries.ts';

/** Watches every charge in doubt until its outcome is known. The ones that the clerk has gone on from are listed. */
export function DoubtList({ hidden, onSettled }: { hidden: string | null; onSettled: (doubt: Doubt, transaction: Transaction) => void }) {
  const open = useDoubts((doubts) => doubts.open);
  const listed = open.filter(({ transactionId }) => transactionId !== hidden);
  return (
    <>
      {open.map((doubt) => (
        <DoubtWatch key={doubt.transactionId} doubt={doubt} onSettled={onSettled} />
      ))}
      {listed.length > 0 && (
        <Box component="section" aria-label="Being checked with the processor" sx={{ display: 'grid', gap: 2 }}>
          {listed.map((doubt) => (
            <Box key={doubt.transactionId} sx={{ display: 'flex', flexWrap: 'wrap', gap: 2, alignItems: 'center', fontSize: 13 }}>
              <StatusChip state="in_doubt" word="Checking" />
              <span>
                {doubt.means}, {doubt.amount} {doubt.currency}
              </span>
            </Box>
          ))}
        </Box>
      )}
    </>
  );
}

const NOT_FOUND = 404;

function DoubtWatch({ doubt, onSettled }: { doubt: Doubt; onSettled: (doubt: Doubt, transaction: Transaction) => void }) {
  const { data, error } = useQuery(doubtQuery(doubt.transactionId));
  const settle = useDoubts((doubts) => doubts.settle);
  const isUnknown = error?.status === NOT_FOUND;
  useEffect(() => {
    // Behind the effect, so that what follows may change the screen and lead the focus at once.
    if (data && data.status !== 'pending') queueMicrotask(() => onSettled(doubt, data));
  }, [data, doubt, onSettled]);
  // Of another business, signed in to in this tab before.
  useEffect(() => {
    if (isUnknown) settle(doubt.transactionId);
  }, [isUnknown, settle, doubt]);
  return null;
}
