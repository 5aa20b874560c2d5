import { t } from '#renderer/base/language';

/** A tab or a group of settings that the command palette opens. */
export interface Place {
  readonly path: string;
  readonly name: string;
  /** Other words by which people look for it, separated by spaces. */
  readonly words: string;
  readonly permission: string;
}

const settings = (tab: string, name: string, words: string): Place => ({
  path: `/settings/${tab}`,
  name: t('Settings: {{name}}', { name }),
  words,
  permission: 'merchants:read',
});
const system = (tab: string, name: string, words: string): Place => ({
  path: `/system/${tab}`,
  name: t('System: {{name}}', { name }),
  words,
  permission: 'settings:read',
});

/** Tabs and settings, each with the words that people use for it. A tab of Settings or System belongs into this list. */
export const PLACES: readonly Place[] = [
  { path: '/cash?tab=shifts', name: t('Shifts'), words: t('shift drawer register float count'), permission: 'shifts:read' },
  { path: '/unconfirmed-payments', name: t('Unconfirmed payments'), words: t('lost timeout inquiry'), permission: 'transactions:read' },
  {
    path: '/transactions?status=authorized',
    name: t('Open authorizations'),
    words: t('hold capture auth'),
    permission: 'transactions:read',
  },
  { path: '/recurring/installments', name: t('Installment plans'), words: t('plan instalment'), permission: 'recurring:read' },
  { path: '/invoices?tab=links', name: t('Payment links'), words: t('link qr checkout'), permission: 'invoices:read' },
  { path: '/customers?tab=expiring', name: t('Expiring cards'), words: t('card on file renewal'), permission: 'customers:read' },
  { path: '/customers/transfer', name: t('Import and export customers'), words: t('move transfer file csv'), permission: 'customers:read' },
  { path: '/settlement?tab=payouts', name: t('Payouts'), words: t('bank transfer batch deposit'), permission: 'settlement:read' },
  { path: '/settlement?tab=funding', name: t('Funding report'), words: t('fees deposits accountant'), permission: 'settlement:read' },
  { path: '/reconciliation/bank', name: t('Bank statements'), words: t('bank import match csv ofx'), permission: 'settlement:read' },
  {
    path: '/reconciliation/close',
    name: t('Close a period and export the journal'),
    words: t('month accountant bookkeeping quickbooks xero export'),
    permission: 'settlement:read',
  },
  { path: '/users/roles', name: t('Roles'), words: t('permissions rights'), permission: 'users:read' },
  { path: '/audit/sessions', name: t('Sessions'), words: t('signed in devices revoke'), permission: 'audit:read' },
  settings('profile', t('Profile'), t('address phone name time zone currency')),
  settings('branding', t('Branding'), t('logo color receipt')),
  settings('payers', t('Payers'), t('pay page checkout public address')),
  settings('channels', t('Messages'), t('email smtp sms text twilio')),
  settings('terminal', t('Virtual terminal'), t('sell screen register tip')),
  settings('items', t('Items'), t('product catalog price barcode')),
  settings('amounts', t('Tax, tips, surcharge'), t('sales tax vat gratuity fee')),
  settings('gateways', t('Gateways'), t('processor account stripe')),
  settings('routing', t('Routing'), t('rules priority')),
  settings('fraud', t('Fraud'), t('risk avs cvv velocity block')),
  settings('dunning', t('Dunning'), t('failed renewals retry subscription')),
  settings('refunds', t('Refunds'), t('failed refunds retry')),
  settings('approvals', t('Approvals'), t('four eyes limit rule')),
  settings('fees', t('Fees'), t('rate cost')),
  settings('security', t('Security'), t('password lock sign-in two-factor')),
  settings('merchants', t('Merchants'), t('location store business')),
  system('status', t('Status'), t('health problem')),
  system('database', t('Database'), t('postgresql sqlite standby failover')),
  system('backup', t('Backup'), t('restore copy')),
  system('keys', t('Keys and recovery'), t('master key recovery file')),
  system('security', t('Security activity'), t('sign-in attack')),
  system('updates', t('Updates'), t('version')),
  system('logs', t('Logs'), t('log errors')),
  system('diagnostics', t('Diagnostics'), t('support report')),
  system('application', t('Application'), t('desktop tray start')),
];
