import { t } from '#renderer/base/language';

const RECORDS = [
  { prefix: 'txn_', what: t('Transaction'), path: '/transactions', permission: 'transactions:read' },
  { prefix: 'inv_', what: t('Invoice'), path: '/invoices', permission: 'invoices:read' },
  { prefix: 'sub_', what: t('Subscription'), path: '/recurring', permission: 'recurring:read' },
  { prefix: 'cus_', what: t('Customer'), path: '/customers', permission: 'customers:read' },
] as const;

/** Returns the kind of a record that others name by its ID, with its screen; undefined if it has none. */
export function relatedRecord(resourceId: string | null) {
  const found = RECORDS.find(({ prefix }) => resourceId?.startsWith(prefix));
  return found && { ...found, path: `${found.path}/${resourceId}` };
}
