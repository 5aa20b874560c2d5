import { isWithin } from './pages.ts';

/** Guide of the documentation for each screen, by its address. The longest address that fits wins. */
const GUIDES: Readonly<Record<string, string>> = {
  '/sell': 'amounts',
  '/home': 'to-do',
  '/to-do': 'to-do',
  '/transactions': 'refunds',
  '/unconfirmed-payments': 'unconfirmed-payments',
  '/refund-queue': 'refunds',
  '/disputes': 'disputes',
  '/queued-payments': 'outage',
  '/invoices': 'invoices-and-links',
  '/recurring': 'customers-and-recurring',
  '/recurring/installments': 'installments',
  '/customers': 'customers-and-recurring',
  '/customers/transfer': 'moving-customers',
  '/messages': 'messages',
  '/cash': 'cash',
  '/gift-cards': 'gift-cards',
  '/settlement': 'settlement',
  '/reconciliation': 'settlement',
  '/reconciliation/bank': 'bank',
  '/reconciliation/close': 'bank',
  '/reports': 'settlement',
  '/webhooks': 'webhooks',
  '/events': 'webhooks',
  '/api-keys': 'access',
  '/approvals': 'approvals',
  '/users': 'access',
  '/audit': 'operations/audit-stream',
  '/system': 'status',
  '/system/database': 'high-availability',
  '/system/backup': 'backup',
  '/system/keys': 'keys',
  '/system/security': 'security',
  '/system/updates': 'desktop',
  '/system/application': 'desktop',
  '/settings': 'access',
  '/settings/branding': 'printing',
  '/settings/payers': 'invoices-and-links',
  '/settings/terminal': 'amounts',
  '/settings/readers': 'card-readers',
  '/settings/items': 'items',
  '/settings/amounts': 'amounts',
  '/settings/gateways': 'connectors',
  '/settings/routing': 'routing-and-fraud',
  '/settings/fraud': 'routing-and-fraud',
  '/settings/dunning': 'customers-and-recurring',
  '/settings/refunds': 'refunds',
  '/settings/fees': 'settlement',
  '/settings/approvals': 'approvals',
  '/settings/channels': 'messages',
  '/settings/security': 'company-sign-in',
};

/** Returns the address of the guide of an open screen; that of the whole documentation for a screen without one. */
export function guideAddressOf(pathname: string): string {
  const [longest] = Object.keys(GUIDES)
    .filter((path) => isWithin(pathname, path))
    .sort((left, right) => right.length - left.length);
  if (longest === undefined) return '/docs';
  // Guides of daily work begin with this chapter; others open at their beginning.
  return `/docs/guides/${GUIDES[longest]}${longest.startsWith('/settings') ? '' : '#on-the-screen'}`;
}
