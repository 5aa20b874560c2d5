import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import { useMutation } from '@tanstack/react-query';
import type { SignedIn } from '#renderer/client';
import { enter } from '#renderer/session';
import { FailureNote, FrontPage } from '#renderer/ui';
import { useDraft } from './draft.ts';
import { StepForm } from './step-form.tsx';

/** Where the first run ends: at the sale, filled in so far that a card makes it approved. */
const TEST_SALE = '#/sell?amount=10.00';
const FIRST_SALE = '#/sell';

/** All is there: one press from the first sale. */
export function DoneStep({ signedIn }: { signedIn: SignedIn }) {
  const { environment, businessName } = useDraft();
  const isSandbox = environment === 'sandbox';
  const entry = useMutation({
    mutationFn: () => {
      location.hash = isSandbox ? TEST_SALE : FIRST_SALE;
      return enter(signedIn);
    },
  });
  return (
    <FrontPage width={520}>
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
        {entry.error && <FailureNote failure={entry.error} />}
      </StepForm>
    </FrontPage>
  );
}
