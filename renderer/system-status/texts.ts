import type { StatusItem, SystemStatus } from '#renderer/client';

const NAMES: Readonly<Record<StatusItem['name'], string>> = {
  server: 'Server',
  database: 'Database',
  replication: 'Replication',
  gateways: 'Gateways',
  payments: 'Unconfirmed payments',
  refunds: 'Declined refunds',
  webhooks: 'Webhooks',
  messages: 'Emails and texts',
  scheduler: 'Scheduled jobs',
  backup: 'Backup',
  keys: 'Encryption keys',
  disk: 'Disk',
  clock: 'Clock',
  'public-address': 'Public address',
};

export const nameOf = ({ name }: StatusItem): string => NAMES[name];

/** Returns the screen where an item can be fixed, and the link's label. */
export function fixLink({ action, subject }: StatusItem): { readonly label: string; readonly to: string } | undefined {
  switch (action) {
    case 'open-gateways':
      return { label: 'View gateways', to: '/settings/gateways' };
    case 'open-transactions':
      return { label: 'View payments', to: '/doubts' };
    case 'open-refund-queue':
      return { label: 'View refunds', to: '/refund-queue?status=failed' };
    case 'open-webhooks':
      return { label: 'View deliveries', to: subject === null ? '/webhooks' : `/webhooks/${subject}` };
    case 'open-messages':
      return { label: 'View messages', to: '/messages?status=failed' };
    case 'set-up-messages':
      return { label: 'Check settings', to: `/settings/channels${subject === null ? '' : `?channel=${subject}`}` };
    case 'open-backup':
      return { label: 'View backups', to: '/system/backup' };
    case 'save-recovery-file':
      return { label: 'Save file', to: '/system/keys' };
    case 'open-settings':
      return { label: 'Set address', to: '/settings/payers' };
    case 'see-logs':
      return { label: 'View log', to: '/system/logs' };
    case null:
      return undefined;
  }
}

const JOBS: Readonly<Record<string, string>> = {
  'payments.settle-doubt': 'Check unconfirmed payments',
  'payments.expire-authorizations': 'Expire authorizations',
  'payments.retry-declined-refunds': 'Retry declined refunds',
  'webhooks.deliver': 'Deliver webhooks',
  'webhooks.catch-up': 'Send earlier events',
  'notifications.deliver': 'Send emails and texts',
  'recurring.bill': 'Bill subscriptions',
  'invoicing.overdue': 'Mark overdue invoices',
  'invoicing.settle-payments': 'Record invoice payments',
  'settlement.settle': 'Create settlements',
  'settlement.pay-batches': 'Pay out batches',
  'reconciliation.compare': 'Compare with the processor',
  'backup.schedule': 'Start daily backup',
  'backup.make': 'Create and check backups',
  'clean-up': 'Clean up',
  'mask-card-numbers': 'Mask card numbers in stored texts',
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
  const count = (state: StatusItem['state'], one: string) => {
    const n = items.filter((item) => item.state === state).length;
    return n === 0 ? [] : [`${n} ${n === 1 ? one : `${one}s`}`];
  };
  const parts = [...count('problem', 'problem'), ...count('warning', 'warning')];
  return parts.length === 0 ? 'Everything works.' : `${parts.join(' and ')}.`;
}
