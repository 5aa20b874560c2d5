import { useColorScheme } from '@mui/material/styles';
import { Toaster, toast } from 'sonner';
import { announce } from './live-region.tsx';

/** Confirms something small, "Copied". Never the result of a payment: that has a place of its own on the screen. */
export function showToast(text: string): void {
  toast(text);
  announce(text);
}

const LASTS_MS = 3500;

export function Toasts() {
  const { mode } = useColorScheme();
  return (
    <Toaster
      theme={mode ?? 'system'}
      position="bottom-center"
      duration={LASTS_MS}
      toastOptions={{ style: { fontFamily: 'inherit', fontSize: 14, borderRadius: 6 } }}
    />
  );
}
