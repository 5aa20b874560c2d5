import type { ApiFailure } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import type { Result } from './result-note.tsx';

const RERUN_TEXTS: Readonly<Record<string, string>> = {
  already_rerun: t('This payment was already rerun. To charge the customer again, take a new payment.'),
  rerun_pending: t('This payment is being rerun, and the outcome isn’t known yet. Wait for it before you rerun the payment again.'),
};

/** Returns the refusal of a second rerun as a result with a link to the first one; undefined for any other failure. */
export function rerunResult({ code, details }: Pick<ApiFailure, 'code' | 'details'>): Result | undefined {
  const text = code === 'RESOURCE_CONFLICT' ? RERUN_TEXTS[String(details.reason)] : undefined;
  return text === undefined ? undefined : { tone: 'warning', text, transactionId: String(details.transactionId) };
}
