import type { SecurityActivity } from '#renderer/client';
import { t } from '#renderer/language';
import { sentenceCase } from '#renderer/ui';

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
  'key-changed': t('Keys'),
  'channel-changed': t('Message channels'),
};

const ACTIONS: Readonly<Record<string, string>> = {
  'session.started': t('Signed in'),
  'session.refused': t('Wrong credentials'),
  'user.locked': t('Account locked'),
  'session.code_refused': t('Wrong code'),
  'session.new_device': t('Signed in on a new device'),
  'session.revoked': t('Session revoked'),
  'password.changed': t('Password changed'),
  'password.link_requested': t('Password link requested'),
  'user.password_link_made': t('Password link created'),
  'user.invited': t('User invited'),
  'user.created': t('User created'),
  'user.updated': t('User updated'),
  'user.permissions_changed': t('User permissions changed'),
  'user.deleted': t('User deleted'),
  'user.two_factor_changed': t('Two-factor changed'),
  'user.recovery_codes_made': t('Recovery codes created'),
  'user.recovery_code_used': t('Recovery code used'),
  'role.created': t('Role created'),
  'role.updated': t('Role updated'),
  'role.deleted': t('Role deleted'),
  'api_key.created': t('API key created'),
  'api_key.updated': t('API key changed'),
  'api_key.revoked': t('API key revoked'),
  'signing_key.rotated': t('Signing key rotated'),
  'message_channel.added': t('Message channel added'),
  'message_channel.updated': t('Message channel updated'),
  'message_channel.removed': t('Message channel removed'),
};

/** Returns the label of an action of the audit log; an unknown action is spelled out: `role.renamed` is "Role renamed". */
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
