import type { SecurityActivity } from '#renderer/client';

/** The kinds of security activity with their labels. */
export const SECURITY_KINDS: Readonly<Record<SecurityActivity['kind'], string>> = {
  'sign-in': 'Sign-in',
  'sign-in-failed': 'Failed sign-in',
  'second-factor-failed': 'Failed second factor',
  'new-device': 'New device',
  'session-revoked': 'Session revoked',
  'password-changed': 'Password',
  'two-factor-changed': 'Two-factor',
  'role-changed': 'Users and roles',
  'key-changed': 'Keys',
  'channel-changed': 'Message channels',
};

/** The fields that changed: "Role: viewer → manager". */
export function detailsText({ before, after }: Pick<SecurityActivity, 'before' | 'after'>): string {
  return [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
    .map((name) => {
      const [was, is] = [valueText(before?.[name]), valueText(after?.[name])];
      return `${name}: ${was === '' || is === '' ? was || is : `${was} → ${is}`}`;
    })
    .join('; ');
}

function valueText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
