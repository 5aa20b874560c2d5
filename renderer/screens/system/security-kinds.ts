import type { SecurityActivity } from '#renderer/client';
import { sentenceCase } from '#renderer/ui';

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

const ACTIONS: Readonly<Record<string, string>> = {
  'session.started': 'Signed in',
  'session.refused': 'Wrong credentials',
  'user.locked': 'Account locked',
  'session.code_refused': 'Wrong code',
  'session.new_device': 'Signed in on a new device',
  'session.revoked': 'Session revoked',
  'password.changed': 'Password changed',
  'password.link_requested': 'Password link requested',
  'user.password_link_made': 'Password link created',
  'user.invited': 'User invited',
  'user.two_factor_changed': 'Two-factor changed',
  'user.recovery_codes_made': 'Recovery codes created',
  'user.recovery_code_used': 'Recovery code used',
  'api_key.created': 'API key created',
  'api_key.updated': 'API key changed',
  'api_key.revoked': 'API key revoked',
};

/** Returns the label of an action of the audit log; an action without one is spelled out: `role.created` is "Role created". */
export const actionLabel = (action: string): string => ACTIONS[action] ?? sentenceCase(action.replaceAll(/[._]/g, ' '));

/** Returns the changed fields: "Role: viewer → manager". */
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
