import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Trans, t } from '#renderer/base/language';
import { FailureNote, FrontPage } from '#renderer/kit/ui';
import type { RemainingSetup } from '#renderer/session/user';
import { expectFirstSale } from '#renderer/shared/recovery-file';
import { StepForm } from './step-form.tsx';

/** Test sale at the end of the first run, prefilled so that only a card is missing. */
const TEST_SALE = '#/sell?amount=10.00';
const FIRST_SALE = '#/sell';

interface DoneStepProps {
  readonly remaining: RemainingSetup;
  /** Step indicator. */
  readonly count: ReactNode;
  readonly onDone: () => Promise<void>;
}

/** End of the setup, with a link to the first sale. */
export function DoneStep({ remaining, count, onDone }: DoneStepProps) {
  const { environment, businessName, isRecoverable } = remaining;
  const isSandbox = environment === 'sandbox';
  const start = useMutation({
    mutationFn: () => {
      location.hash = isSandbox ? TEST_SALE : FIRST_SALE;
      if (isSandbox) expectFirstSale();
      return onDone();
    },
  });
  return (
    <FrontPage width={520}>
      {count}
      <StepForm
        title={t('Paydesk is set up')}
        submitLabel={isSandbox ? t('Make a test sale') : t('Go to Sell')}
        isBusy={start.isPending || start.isSuccess}
        onSubmit={() => start.mutate()}
        focusesSubmit
      >
        <Alert severity="success" sx={{ alignItems: 'flex-start' }}>
          <Trans
            i18nKey="{{business}} is ready. The API address is <0>{{address}}</0>."
            components={[<span key="0" className="mono" />]}
            values={{ business: businessName, address: location.origin }}
          />
        </Alert>
        <Box sx={{ color: 'text.secondary' }}>
          {isSandbox
            ? t('A sale of 10.00 is prepared: choose a test card, then Charge.')
            : t('Payments are real from now on. Connect a processor before the first sale.')}
        </Box>
        {!isSandbox && !isRecoverable && (
          <Alert severity="warning" sx={{ alignItems: 'flex-start' }}>
            {t('The recovery file isn’t saved yet. Save it in Settings > Security before you store cards.')}
          </Alert>
        )}
        {start.error && <FailureNote failure={start.error} />}
      </StepForm>
    </FrontPage>
  );
}
