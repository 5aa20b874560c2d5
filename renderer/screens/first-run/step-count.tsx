import Box from '@mui/material/Box';
import { t } from '#renderer/base/language';
import { useDesktop } from '#renderer/desktop/bridge';
import { STEPS } from './draft.ts';

type Environment = 'sandbox' | 'live';

/** Number of steps: a browser has no receipt printer step, and a sandbox no step for the recovery file, because its cards are test cards. */
export function useStepTotal(environment: Environment): number {
  const { receiptPrinter } = useDesktop();
  const finalSteps = environment === 'live' ? ['recovery', 'done'] : ['done'];
  return STEPS.length + (receiptPrinter ? 1 : 0) + finalSteps.length;
}

/** Current step, counted from 1. */
export function StepCount({ at, environment }: { readonly at: number; readonly environment: Environment }) {
  const total = useStepTotal(environment);
  return (
    <Box component="p" sx={{ m: 0, mb: 2, fontSize: 12, fontWeight: 550, color: 'text.secondary' }}>
      {t('Setup, step {{at}} of {{total}}', { at, total })}
    </Box>
  );
}
