import { t } from '#renderer/base/language';
import { sentenceCase } from '#renderer/kit/ui';

const BUILT_IN: ReadonlyMap<string, string> = new Map([
  ['owner', t('Owner')],
  ['admin', t('Admin')],
  ['manager', t('Manager')],
  ['cashier', t('Cashier')],
  ['accountant', t('Accountant')],
  ['viewer', t('Viewer')],
]);

const SUMMARIES: ReadonlyMap<string, string> = new Map([
  ['owner', t('Everything, with owners and the keys of the account')],
  ['admin', t('Everything except what only owners may do')],
  ['manager', t('Payments, money and settings; not users and API keys')],
  ['cashier', t('Sells, refunds payments, and counts the drawer')],
  ['accountant', t('Reads payments; reconciles, closes and exports')],
  ['viewer', t('Reads payments and reports')],
]);

/** Returns one line about a built-in role; undefined for the others, whose permissions are in the list of roles. */
export const roleSummary = (name: string): string | undefined => SUMMARIES.get(name);

/** Returns the name of a role for the screen. Only the names of built-in roles are translated. */
export const roleName = (name: string): string => BUILT_IN.get(name) ?? sentenceCase(name);
