import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import LinearProgress from '@mui/material/LinearProgress';
import { CircleHelp } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { CopyText, MoneyText } from '#renderer/ui';
import type { Doubt } from '../unconfirmed/doubts.ts';
import { Fact, Facts, Verdict } from './verdict.tsx';

const WORDS: Readonly<Record<Doubt['reason'], { readonly title: string; readonly story: string }>> = {
  lost: {
    title: 'Checking with the processor, do not charge again',
    story:
      'The processor’s answer was lost on the way. The service asks it what became of the payment, and the result appears here by itself.',
  },
  held: {
    title: 'Held for review by the processor, do not charge again',
    story: 'The processor looks at this payment before it decides. The result appears here by itself.',
  },
};

/** A charge whose outcome is being asked for: what it is, that it must not be repeated, and the way to the next customer. */
export function CheckingPanel({ doubt, onNewSale }: { doubt: Doubt; onNewSale: () => void }) {
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => panel.current?.focus(), []);
  return (
    <Box
      ref={panel}
      tabIndex={-1}
      role="group"
      aria-labelledby="sale-result"
      data-result="checking"
      sx={{ outline: 'none', display: 'flex', flexDirection: 'column', gap: 6, flex: 1 }}
    >
      <Verdict tone="warning" icon={CircleHelp} words={WORDS[doubt.reason].title}>
        <MoneyText
          amount={Number(doubt.amount)}
          currency={doubt.currency}
          code
          sx={{ fontSize: 36, lineHeight: '44px', fontWeight: 600 }}
        />
      </Verdict>
      <LinearProgress aria-label="Asking the processor" color="warning" />
      <Facts>
        <Fact label="Paid by" wide>
          {doubt.means}
        </Fact>
        <Fact label="Transaction" wide>
          <CopyText text={doubt.transactionId} what="Transaction id" />
        </Fact>
      </Facts>
      <Box sx={{ color: 'text.secondary', maxWidth: 520 }}>
        {WORDS[doubt.reason].story} You may serve the next customer meanwhile; before the same card and amount is charged again, you are
        asked.
      </Box>
      <Box sx={{ mt: 'auto' }}>
        <Button size="large" onClick={onNewSale}>
          Next customer
        </Button>
      </Box>
    </Box>
  );
}
