import type { Backup } from '#renderer/base/client';
import { serviceText, t } from '#renderer/base/language';

/** Describes the result of a restore check: "Restore check passed: 12,418 transactions, audit log valid, ledger balanced". */
export function checkText({ check }: Backup): string {
  switch (check.status) {
    case 'waiting':
    case 'running':
      return t('Checking restore…');
    case 'good':
      return t('Restore check passed: {{transactions}}, audit log valid, ledger balanced', {
        transactions: t('{{count, number}} transactions', { count: check.transactions ?? 0 }),
      });
    case 'bad':
      return check.message ? serviceText(check.message) : t('It couldn’t be opened.');
    default:
      return t('Not checked');
  }
}

/** Returns the displayed status: that of the backup, and once it is created, that of its restore check. */
export function stateOf({ status, check }: Backup): string {
  if (status === 'failed' || check.status === 'bad') return 'failed';
  if (status !== 'made') return 'processing';
  return check.status === 'good' ? 'checked' : check.status === 'none' ? 'made' : 'checking';
}
