import { t } from '#renderer/base/language';

/** Labels of the fields that entries about users, sessions, keys and message channels contain. */
const FIELDS: Readonly<Record<string, string>> = {
  allowedAddresses: t('Allowed addresses'),
  allowedOrigins: t('Allowed origins'),
  email: t('Email'),
  enabled: t('Enabled'),
  expiresAt: t('Expires at'),
  from: t('Sender'),
  fromAddress: t('Sender address'),
  fromName: t('Sender name'),
  hasPassword: t('Password saved'),
  hasToken: t('Token saved'),
  host: t('Host'),
  keyId: t('Key ID'),
  kind: t('Kind'),
  language: t('Language'),
  last4: t('Last 4'),
  merchantId: t('Merchant'),
  minutes: t('Minutes'),
  name: t('Name'),
  permissions: t('Permissions'),
  phone: t('Phone'),
  pin: t('PIN'),
  port: t('Port'),
  previousUser: t('Previous user'),
  provider: t('Provider'),
  reason: t('Reason'),
  replyTo: t('Reply-to address'),
  role: t('Role'),
  scope: t('Scope'),
  secret: t('Secret'),
  security: t('Security'),
  spendingLimits: t('Spending limits'),
  status: t('Status'),
  tier: t('Tier'),
  twoFactor: t('Two-factor'),
  user: t('User'),
};

/** Returns the label of a field of an audit entry. A field without a label keeps the name that it has in the API. */
export const fieldLabel = (name: string): string => FIELDS[name] ?? name;
