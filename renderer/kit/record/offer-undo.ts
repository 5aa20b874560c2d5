import { ApiFailure } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { showToast } from '#renderer/kit/ui';

/** Confirms an action that can be reversed, and offers to do so. `refresh` runs whether or not it could be reversed. */
export function offerUndo(text: string, undo: () => Promise<unknown>, refresh: () => unknown): void {
  const explain = (failure: unknown) => showToast(failure instanceof ApiFailure ? failure.message : t('This could not be undone.'));
  showToast(text, { label: t('Undo'), run: () => void undo().catch(explain).finally(refresh) });
}
