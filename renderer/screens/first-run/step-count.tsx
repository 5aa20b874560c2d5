import Box from '@mui/material/Box';
import { useDesktop } from '#renderer/desktop';
import { STEPS } from './draft.ts';

/** Number of the final steps: recovery file and test sale. */
const FINAL_STEPS = 2;

/** Number of steps; a browser has no receipt printer step. */
export function useStepTotal(): number {
  const { receiptPrinter } = useDesktop();
  return STEPS.length + (receiptPrinter ? 1 : 0) + FINAL_STEPS;
}

/** Current step, counted from 1. */
export function StepCount({ at }: { at: number }) {
  const total = useStepTotal();
  return (
    <Box component="p" sx={{ m: 0, mb: 2, fontSize: 12, fontWeight: 550, color: 'text.secondary' }}>
      {`Setup, step ${at} of ${total}`}
    </Box>
  );
}
