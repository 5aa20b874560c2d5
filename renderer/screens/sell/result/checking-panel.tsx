import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import LinearProgress from '@mui/material/LinearProgress';
import { CircleHelp } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { t } from '#renderer/base/language';
import { CopyText, MoneyText } from '#renderer/kit/ui';
import type { UnconfirmedCharge } from '../charge/unconfirmed-charges.ts';
import { Fact, Facts, OutcomeHeader } from './outcome-header.tsx';

const TEXTS: Readonly<Record<UnconfirmedCharge['reason'], { readonly title: string; readonly explanation: string }>> = {
  'no-response': {
    title: t('Checking with the processor, do not charge again'),
    explanation: t('The processor’s response was lost. We’re asking the processor for the outcome; it appears here automatically.'),
  },
  held: {
    title: t('Held for review by the processor, do not charge again'),
    explanation: t('The processor is reviewing this payment. The result appears here automatically.'),
  },
};

/** Shows an unconfirmed charge with the warning not to repeat it, and a button for the next customer. */
export function CheckingPanel({ unconfirmed, onNewSale }: { unconfirmed: UnconfirmedCharge; onNewSale: () => void }) {
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
      <OutcomeHeader tone="warning" icon={CircleHelp} title={TEXTS[unconfirmed.reason].title}>
        <MoneyText
          amount={Number(unconfirmed.amount)}
          currency={unconfirmed.currency}
          code
          sx={{ fontSize: 36, lineHeight: '44px', fontWeight: 600 }}
        />
      </OutcomeHeader>
      <LinearProgress aria-label={t('Waiting for the processor')} color="warning" />
      <Facts>
        <Fact label={t('Paid with')} wide>
          {unconfirmed.methodLabel}
        </Fact>
        <Fact label={t('Transaction ID')} wide>
          <CopyText text={unconfirmed.transactionId} label={t('Transaction ID')} />
        </Fact>
      </Facts>
      <Box sx={{ color: 'text.secondary', maxWidth: 520 }}>
        {TEXTS[unconfirmed.reason].explanation}{' '}
        {t('You can serve the next customer in the meantime. You’ll be warned before the same card is charged the same amount again.')}
      </Box>
      <Box sx={{ mt: 'auto' }}>
        <Button size="large" onClick={onNewSale}>
          {t('Next customer')}
        </Button>
      </Box>
    </Box>
  );
}
