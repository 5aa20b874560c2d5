import type { StatusItem, SystemStatus } from '#renderer/client';

const NAMES: Readonly<Record<StatusItem['name'], string>> = {
  server: 'Server',
  database: 'Database',
  gateways: 'Gateways',
  payments: 'Payments in doubt',
  refunds: 'Declined refunds',
  webhooks: 'Webhooks',
  messages: 'E-mails and texts',
  scheduler: 'Scheduled work',
  backup: 'Backup',
  keys: 'Encryption keys',
  disk: 'Disk',
  clock: 'Clock',
  'public-address': 'Public address',
};

export const nameOf = ({ name }: StatusItem): string => NAMES[name];

/** Returns the screen where an item can be fixed, and the link's label. */
export function wayOf({ action, subject }: StatusItem): { readonly label: string; readonly to: string } | undefined {
  switch (action) {
    case 'open-gateways':
      return { label: 'See the gateways', to: '/settings/gateways' };
    case 'open-transactions':
      return { label: 'See the payments', to: '/doubts' };
    case 'open-refund-queue':
      return { label: 'See the refunds', to: '/refund-queue?status=failed' };
    case 'open-webhooks':
      return { label: 'See the deliveries', to: subject === null ? '/webhooks' : `/webhooks/${subject}` };
    case 'open-messages':
      return { label: 'See the messages', to: '/messages?status=failed' };
    case 'set-up-messages':
      return { label: 'Check the settings', to: `/settings/channels${subject === null ? '' : `?channel=${subject}`}` };
    case 'open-backup':
      return { label: 'See the backups', to: '/system/backup' };
    case 'save-recovery-file':
      return { label: 'Save the file', to: '/system/keys' };
    case 'open-settings':
      return { label: 'Set the address', to: '/settings/payers' };
    case 'see-logs':
      return { label: 'See the log', to: '/system/logs' };
    case null:
      return undefined;
  }
}

const JOBS: Readonly<Record<string, string>> = {
  'payments.settle-doubt': 'Ask about payments in doubt',
  'payments.expire-authorizations': 'Let authorizations expire',
  'payments.retry-declined-refunds': 'Try declined refunds again',
  'webhooks.deliver': 'Deliver webhooks',
  'notifications.deliver': 'Send e-mails and texts',
  'recurring.bill': 'Bill subscriptions',
  'invoicing.overdue': 'Mark overdue invoices',
  'invoicing.settle-payments': 'Enter payments of invoices',
  'settlement.settle': 'Settle',
  'settlement.pay-batches': 'Pay out batches',
  'reconciliation.compare': 'Compare with the processor',
  'backup.schedule': 'Begin the daily backup',
  'backup.make': 'Make and check backups',
  'clean-up': 'Clean up',
  'mask-card-numbers': 'Mask card numbers in stored texts',
};

/** Returns the display name of a job; an unknown job keeps its own name. */
export const jobName = (name: string): string => JOBS[name] ?? name;

/** The state of a job as a chip shows it. */
export function jobState({ isOverdue, isHeld, lastFailed }: SystemStatus['jobs'][number]): string {
  if (isOverdue) return 'overdue';
  if (isHeld) return 'waiting';
  return lastFailed ? 'warning' : 'ok';
}

/** "2 problems and 1 warning", or that all is well. */
export function summaryOf(items: readonly StatusItem[]): string {
  const count = (state: StatusItem['state'], one: string) => {
    const n = items.filter((item) => item.state === state).length;
    return n === 0 ? [] : [`${n} ${n === 1 ? one : `${one}s`}`];
  };
  const said = [...count('problem', 'problem'), ...count('warning', 'warning')];
  return said.length === 0 ? 'Everything works.' : `${said.join(' and ')}.`;
}
