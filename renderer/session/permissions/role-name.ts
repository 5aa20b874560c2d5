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

/** Returns the name of a role for the screen. Only the names of built-in roles are translated. */
export const roleName = (name: string): string => BUILT_IN.get(name) ?? sentenceCase(name);
