import { EXAMPLE_ID } from '#core/platform/fields';

/**
 * Records whose IDs are in paths: the prefix of the ID, the noun, and the segments before the parameter, or its name where a segment is not enough. A path is a text, so
 * that its parameters have no declaration of their own (decision record 211).
 */
const RECORDS: readonly (readonly [prefix: string, noun: string, ...before: string[]])[] = [
  ['txn', 'transaction', 'transactions', 'transaction', 'unconfirmed-payments', 'query', 'receipts'],
  ['ref', 'refund', 'refunds'],
  ['rdq', 'queue entry', 'refund-decline-queue'],
  ['cus', 'customer', 'customers', 'customer'],
  ['pm', 'stored payment method', 'payment-methods', 'pmId'],
  ['cul', 'link', 'page-links'],
  ['mer', 'merchant', 'merchants', 'schedule', 'history'],
  ['gw', 'gateway', 'gateways'],
  ['usr', 'user', 'users'],
  ['rol', 'role, or name of a built-in one', 'roles'],
  ['key', 'API key', 'api-keys'],
  ['ses', 'session', 'user-sessions'],
  ['whe', 'endpoint', 'webhooks', 'endpoints'],
  ['evt', 'event', 'events'],
  ['dlv', 'delivery', 'deliveries'],
  ['inv', 'invoice', 'invoices'],
  ['lfe', 'late fee', 'late-fees'],
  ['hpg', 'payment page', 'hosted-pages'],
  ['sub', 'subscription', 'recurring'],
  ['ipl', 'installment plan', 'installment-plans'],
  ['qpy', 'payment that is charged later', 'queued-payments'],
  ['stl', 'settlement', 'settlements'],
  ['pay', 'payout', 'payouts'],
  ['bat', 'payout batch', 'batch-payouts'],
  ['rec', 'reconciliation run', 'reconciliation'],
  ['dsc', 'discrepancy', 'discrepancies'],
  ['bac', 'bank account', 'bank-accounts'],
  ['bln', 'bank line', 'bank-lines'],
  ['brl', 'rule', 'bank-rules'],
  ['jex', 'export of the journal', 'journalExportId'],
  ['dsp', 'dispute', 'disputes'],
  ['dat', 'attachment', 'attachments'],
  ['dpk', 'evidence pack', 'evidence'],
  ['apr', 'approval', 'approvals'],
  ['tnd', 'tender', 'tenders'],
  ['ord', 'order', 'orders'],
  ['gcd', 'gift card', 'gift-cards'],
  ['itm', 'item', 'items'],
  ['shf', 'shift', 'shifts'],
  ['trm', 'card reader', 'terminals'],
  ['csv', 'request to store a card by a card reader', 'card-saves'],
  ['cim', 'import', 'imports'],
  ['cex', 'export', 'exports'],
  ['tky', 'transfer key', 'transfer-keys'],
  ['msg', 'message', 'messages'],
  ['bkp', 'backup', 'backups'],
  ['rcd', 'recording', 'recordings'],
];
const BY_KEY = new Map(RECORDS.flatMap(([prefix, noun, ...keys]) => keys.map((key) => [key, { prefix, noun }] as const)));

/** Returns the description and an example of a parameter of a path; undefined if no record is known for it. */
export function pathParameter(path: string, name: string): { readonly description: string; readonly example: string } | undefined {
  const before = path.split(`/:${name}`)[0]?.split('/').at(-1) ?? '';
  const record = BY_KEY.get(name) ?? BY_KEY.get(before);
  return record && { description: `ID of the ${record.noun}`, example: `${record.prefix}_${EXAMPLE_ID}` };
}
