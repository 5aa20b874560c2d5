import { ApiFailure } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { createStore, onReset } from '#renderer/base/module-state';
import { hideToast, showToast, UNDO_MS } from './toasts.tsx';

interface HeldRequest {
  /** Name of the record that it changes. */
  readonly key: string;
  /** Text of the toast: what is done unless a person chooses Undo. */
  readonly text: string;
  readonly send: () => Promise<unknown>;
  /** Runs after the request, and after Undo. */
  readonly refresh: () => unknown;
}

const useHeld = createStore<{ readonly held: HeldRequest | undefined }>()(() => ({ held: undefined }));
let timer: ReturnType<typeof setTimeout> | undefined;
onReset(() => clearTimeout(timer));

/**
 * Sends a request that the service cannot reverse after the time for Undo, or earlier: with the next such request, and before the page or the
 * session ends.
 */
export function sendAfterUndo(request: HeldRequest): void {
  void sendHeldRequest();
  useHeld.setState({ held: request });
  addEventListener('pagehide', sendNow, { once: true });
  timer = setTimeout(sendNow, UNDO_MS);
  showToast(request.text, { label: t('Undo'), run: () => take() === request && request.refresh() }, request.key);
}

/** Sends the request that waits for Undo, if there is one. A failure is shown in a toast, because the form is closed. */
export async function sendHeldRequest(): Promise<void> {
  const request = take();
  if (request === undefined) return;
  try {
    await request.send();
  } catch (failure) {
    showToast(t('Not saved. {{reason}}', { reason: failure instanceof ApiFailure ? failure.message : t('Try again.') }));
  } finally {
    request.refresh();
  }
}

const sendNow = (): void => void sendHeldRequest();

/** Returns true while a change of a record waits for Undo. */
export const useIsHeld = (key: string): boolean => useHeld(({ held }) => held?.key === key);

/** Returns true if a request waits for Undo. */
export const hasHeldRequest = (): boolean => useHeld.getState().held !== undefined;

function take(): HeldRequest | undefined {
  const { held } = useHeld.getState();
  clearTimeout(timer);
  useHeld.setState({ held: undefined });
  if (held !== undefined) hideToast(held.key);
  return held;
}
