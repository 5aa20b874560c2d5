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
/** Time in which an action of a toast, such as Undo, is offered. */
export const UNDO_MS = 10_000;

/** Confirms a small action, such as "Copied", on screen and to screen readers. Never used for the result of a payment. `id` is for `hideToast`. */
export function showToast(text: string, action?: ToastAction, id?: string): void {
  toast(text, action && { ...(id && { id }), duration: UNDO_MS, action: { label: action.label, onClick: action.run } });
}

export const hideToast = (id: string): void => void toast.dismiss(id);

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
