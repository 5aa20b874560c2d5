import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { SetUpLeft } from '#renderer/session';
import { FailureNote, FrontPage } from '#renderer/ui';
import { StepForm } from './step-form.tsx';

/** Test sale at the end of the first run, prefilled so that only a card is missing. */
const TEST_SALE = '#/sell?amount=10.00';
const FIRST_SALE = '#/sell';

interface DoneStepProps {
  readonly left: SetUpLeft;
  /** Which step it is. */
  readonly count: ReactNode;
  readonly onDone: () => Promise<void>;
}

/** End of the setup, with a link to the first sale. */
export function DoneStep({ left, count, onDone }: DoneStepProps) {
  const { environment, businessName, isRecoverable } = left;
  const isSandbox = environment === 'sandbox';
  const entry = useMutation({
    mutationFn: () => {
      location.hash = isSandbox ? TEST_SALE : FIRST_SALE;
      return onDone();
    },
  });
  return (
    <FrontPage width={520}>
      {count}
      <StepForm
        title="Paydesk is set up"
        submitLabel={isSandbox ? 'Take a test sale' : 'Go to Sell'}
        isBusy={entry.isPending || entry.isSuccess}
        onSubmit={() => entry.mutate()}
        focusesSubmit
      >
        <Alert severity="success" sx={{ alignItems: 'flex-start' }}>
          {businessName} is ready, and the API answers at <span className="mono">{location.origin}</span>.
        </Alert>
        <Box sx={{ color: 'text.secondary' }}>
          {isSandbox
            ? 'A sale of 10.00 is filled in for you: choose a test card, then Charge.'
            : 'Payments are real from now on. A processor is connected before the first sale.'}
        </Box>
        {!isRecoverable && (
          <Alert severity="warning" sx={{ alignItems: 'flex-start' }}>
            The recovery file is not saved yet. Save it in Settings, Security, before cards are stored that you want to keep.
          </Alert>
        )}
        {entry.error && <FailureNote failure={entry.error} />}
      </StepForm>
    </FrontPage>
  );
}
