import type { SecurityActivity } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { fieldLabel } from '#renderer/session/audit-labels';

/** The kinds of security activity with their labels. */
export const SECURITY_KINDS: Readonly<Record<SecurityActivity['kind'], string>> = {
  'sign-in': t('Sign-in'),
  'sign-in-failed': t('Failed sign-in'),
  'second-factor-failed': t('Failed second factor'),
  'new-device': t('New device'),
  'session-revoked': t('Session revoked'),
  'password-changed': t('Password'),
  'two-factor-changed': t('Two-factor'),
  'role-changed': t('Users and roles'),
  'company-sign-in': t('Company sign-in'),
  'key-changed': t('Keys'),
  'channel-changed': t('Message channels'),
  'payer-address-changed': t('Public addresses'),
  'destination-changed': t('Webhooks, gateways and routing'),
};

/** Returns the changed fields: "Role: viewer → manager". */
export function detailsText({ before, after }: Pick<SecurityActivity, 'before' | 'after'>): string {
  return [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
    .map((name) => {
      const [was, is] = [valueText(before?.[name]), valueText(after?.[name])];
      return `${fieldLabel(name)}: ${was === '' || is === '' ? was || is : `${was} → ${is}`}`;
    })
    .join('; ');
}

function valueText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
