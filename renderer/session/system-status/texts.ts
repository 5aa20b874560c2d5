import type { StatusItem, SystemStatus } from '#renderer/base/client';
import { listText, t } from '#renderer/base/language';

const NAMES: Readonly<Record<StatusItem['name'], string>> = {
  server: t('Server'),
  database: t('Database'),
  replication: t('Replication'),
  gateways: t('Gateways'),
  payments: t('Unconfirmed payments'),
  requests: t('Requests'),
  refunds: t('Declined refunds'),
  webhooks: t('Webhooks'),
  messages: t('Emails and texts'),
  scheduler: t('Scheduled jobs'),
  backup: t('Backup'),
  archive: t('Archive'),
  keys: t('Encryption keys'),
  disk: t('Disk'),
  clock: t('Clock'),
  'audit-log': t('Audit log'),
  'public-address': t('Public address'),
};

export const nameOf = ({ name }: Pick<StatusItem, 'name'>): string => NAMES[name];

/** Returns the screen where an item can be fixed, and the link's label. */
export function fixLink({ action, subject }: StatusItem): { readonly label: string; readonly to: string } | undefined {
  switch (action) {
    case 'open-gateways':
      return { label: t('View gateways'), to: '/settings/gateways' };
    case 'open-transactions':
      return { label: t('View payments'), to: '/unconfirmed-payments' };
    case 'open-refund-queue':
      return { label: t('View refunds'), to: '/refund-queue?status=failed' };
    case 'open-webhooks':
      return { label: t('View deliveries'), to: subject === null ? '/webhooks' : `/webhooks/${subject}` };
    case 'open-messages':
      return { label: t('View messages'), to: '/messages?status=failed' };
    case 'set-up-messages':
      return { label: t('Check settings'), to: `/settings/channels${subject === null ? '' : `?channel=${subject}`}` };
    case 'open-backup':
      return { label: t('View backups'), to: '/system/backup' };
    case 'open-archive':
      return { label: t('View archives'), to: '/system/backup' };
    case 'save-recovery-file':
      return { label: t('Save file'), to: '/system/keys' };
    case 'open-settings':
      return { label: t('Set address'), to: '/settings/payers' };
    case 'see-logs':
      return { label: t('View log'), to: '/system/logs' };
    case null:
      return undefined;
  }
}

const JOBS: Readonly<Record<string, string>> = {
  'payments.conclude-unconfirmed': t('Check unconfirmed payments'),
  'gift-cards.expire': t('Expire gift cards'),
  'payments.expire-authorizations': t('Expire authorizations'),
  'payments.retry-declined-refunds': t('Retry declined refunds'),
  'payments.read-returns': t('Read returned bank payments'),
  'card-saves.inquire': t('Check cards saved by readers'),
  'queued-payments.send': t('Charge queued payments'),
  'webhooks.deliver': t('Deliver webhooks'),
  'webhooks.catch-up': t('Send earlier events'),
  'notifications.deliver': t('Send emails and texts'),
  'recurring.bill': t('Bill subscriptions'),
  'installments.charge': t('Charge installments'),
  'invoicing.overdue': t('Mark overdue invoices'),
  'invoicing.reminders': t('Send invoice reminders'),
  'invoicing.late-fees': t('Charge late fees'),
  'invoicing.hosted-pages': t('Find payments on payment pages of gateways'),
  'invoicing.settle-payments': t('Record invoice payments'),
  'customers.import': t('Import customers'),
  'settlement.settle': t('Create settlements'),
  'settlement.pay-batches': t('Record payouts of batches'),
  'reconciliation.compare': t('Compare with the processor'),
  'reconciliation.remove-unfinished-imports': t('Remove failed settlement imports'),
  'disputes.read-reports': t('Read dispute reports'),
  'disputes.remind': t('Remind of dispute deadlines'),
  'bank.suggest-matches': t('Suggest matches of bank lines'),
  'bank.remove-unfinished-imports': t('Remove failed bank imports'),
  'backup.schedule': t('Start daily backup'),
  'backup.make': t('Create and check backups'),
  'archive.schedule': t('Start yearly archive'),
  'archive.make': t('Create and check archives'),
  'audit.anchor': t('Email the last entry of the audit log'),
  approvals: t('Expire approvals'),
  'clean-up': t('Clean up'),
};

/** Returns the display name of a job; an unknown job keeps its own name. */
export const jobName = (name: string): string => JOBS[name] ?? name;

/** Returns the displayed status of a job. */
export function jobState({ isOverdue, isHeld, lastFailed }: SystemStatus['jobs'][number]): string {
  if (isOverdue) return 'overdue';
  if (isHeld) return 'waiting';
  return lastFailed ? 'warning' : 'ok';
}

/** Returns a summary: "2 problems and 1 warning", or "Everything works." */
export function summaryOf(items: readonly StatusItem[]): string {
  const numberOf = (state: StatusItem['state']) => items.filter((item) => item.state === state).length;
  const [problems, warnings] = [numberOf('problem'), numberOf('warning')];
  const parts = [
    ...(problems > 0 ? [t('{{count, number}} problems', { count: problems })] : []),
    ...(warnings > 0 ? [t('{{count, number}} warnings', { count: warnings })] : []),
  ];
  return parts.length === 0 ? t('Everything works.') : `${listText(parts)}.`;
}
