import { useColorScheme } from '@mui/material/styles';
import { Toaster, toast } from 'sonner';
import { t } from '#renderer/base/language';
import { onReset } from '#renderer/base/module-state';

onReset(() => toast.dismiss());

interface ToastAction {
  readonly label: string;
  readonly run: () => void;
}

const LASTS_MS = 3500;
const ACTION_LASTS_MS = 10_000;

/** Confirms a small action, such as "Copied", on screen and to screen readers. Never used for the result of a payment. */
export function showToast(text: string, action?: ToastAction): void {
  toast(text, action && { duration: ACTION_LASTS_MS, action: { label: action.label, onClick: action.run } });
}

export function Toasts() {
  const { mode } = useColorScheme();
  return (
    <Toaster
      theme={mode ?? 'system'}
      position="bottom-center"
      containerAriaLabel={t('Notifications')}
      duration={LASTS_MS}
      toastOptions={{ style: { fontFamily: 'inherit', fontSize: 14, borderRadius: 6 } }}
    />
  );
}
