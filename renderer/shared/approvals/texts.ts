import type { Approval } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { writeMoney } from '#renderer/base/money';
import { brandName, lastFourText } from '#shared/card-brands';

const KINDS: Readonly<Record<Approval['kind'], string>> = {
  refund: t('Refund'),
  void: t('Void'),
  unlinked_credit: t('Credit without original payment'),
  tip: t('Tip above the limit'),
  pay_out: t('Pay-out from a drawer'),
  drawer_opening: t('Opening of the drawer without a sale'),
  discount: t('Discount'),
  gift_card: t('Gift card without a payment'),
  access_change: t('Change of access'),
  key_limit: t('Payment above the limits of an API key'),
};

const ACTIONS: Readonly<Record<string, string>> = {
  'user.created': t('New user'),
  'user.updated': t('Change of a user'),
  'user.permissions_changed': t('Change of permissions'),
  'user.deleted': t('Removal of a user'),
  'user.invited': t('Invitation of a user'),
  'user.password_link_made': t('Password link for a user'),
  'user.two_factor_changed': t('Reset of a second factor'),
  'user.pin_removed': t('Removal of a PIN'),
  'role.created': t('New role'),
  'role.updated': t('Change of a role'),
  'role.deleted': t('Removal of a role'),
  'api_key.created': t('New API key'),
  'api_key.updated': t('Change of an API key'),
  'permissions.updated': t('Change of the permission limit'),
  'approval_rules.updated': t('Change of the approval rules'),
  'store_credit.refunded': t('Refund to store credit'),
};

/** Names of the fields of users, roles and API keys. */
const FIELDS: Readonly<Record<string, string>> = {
  email: t('Email'),
  name: t('Name'),
  role: t('Role'),
  permissions: t('Permissions'),
  merchantId: t('Merchant id'),
  phone: t('Phone'),
  twoFactor: t('Two factor'),
  scope: t('Scope'),
  tier: t('Tier'),
  expiresAt: t('Expires at'),
  spendingLimits: t('Spending limits'),
  allowedAddresses: t('Allowed addresses'),
  allowedOrigins: t('Allowed origins'),
};

/** Returns the name of the operation that waits. */
export function kindText({ kind, details }: Pick<Approval, 'kind' | 'details'>): string {
  return ACTIONS[String(details.action)] ?? KINDS[kind];
}

/** Returns the customer of the operation; undefined if it has none. */
export function customerOf({ details }: Pick<Approval, 'details'>): string | undefined {
  const customer = details.customerName ?? details.customerId;
  return typeof customer === 'string' ? customer : undefined;
}

/** Returns the reason that the requester gave; undefined if there is none. */
export function requestReasonOf({ requestReason, details }: Pick<Approval, 'requestReason' | 'details'>): string | undefined {
  // Requests of older versions have it among the details.
  return requestReason ?? (typeof details.reason === 'string' ? details.reason : undefined);
}

/** Returns the payment of the operation by its card and its amount; undefined if it has none. */
export function paymentOf({
  resource,
  details,
}: Pick<Approval, 'resource' | 'details'>): { readonly id: string; readonly text: string } | undefined {
  const [area, id] = resource.split('/');
  const transactionId = area === 'transactions' ? id : details.transactionId;
  if (typeof transactionId !== 'string') return undefined;
  const { cardBrand, last4, paymentAmount, paymentCurrency } = details;
  const card = last4 ? cardText({ cardBrand, last4 }) : undefined;
  const amount = typeof paymentAmount === 'number' ? writeMoney(paymentAmount, String(paymentCurrency)) : undefined;
  return { id: transactionId, text: [card, amount].filter(Boolean).join(', ') || t('Payment') };
}

/** Returns the facts by which the approver recognizes the operation, as label and value. */
export function factsOf(approval: Pick<Approval, 'details' | 'requestReason'>): (readonly [string, string])[] {
  const { cardBrand, last4, orderId, tipAmount, drawer, after, before } = approval.details as Record<string, unknown>;
  const { number, payments, transactionId, giftCardId, giftCardLastCharacters } = approval.details as Record<string, unknown>;
  const [reason, customer] = [requestReasonOf(approval), customerOf(approval)];
  const changed = describeChange(before, after);
  return [
    ...(reason ? [[t('Reason'), reason] as const] : []),
    ...(customer ? [[t('Customer'), customer] as const] : []),
    ...(last4 && !transactionId ? [[t('Card or account'), cardText({ cardBrand, last4 })] as const] : []),
    ...(Array.isArray(payments) ? [[t('Payments'), payments.map(paymentText).join(', ')] as const] : []),
    ...(number ? [[t('Receipt'), String(number)] as const] : []),
    ...(giftCardId ? [[t('Gift card'), String(giftCardLastCharacters ?? giftCardId)] as const] : []),
    ...(orderId ? [[t('Order'), String(orderId)] as const] : []),
    ...(tipAmount ? [[t('Tip'), String(tipAmount)] as const] : []),
    ...(drawer ? [[t('Drawer'), String(drawer)] as const] : []),
    ...changed,
  ];
}

const cardText = ({ cardBrand, last4 }: Record<string, unknown>) =>
  [cardBrand && brandName(String(cardBrand)), lastFourText(String(last4))].filter(Boolean).join(' ');

/** Returns a payment of an order with its part of the refund. */
const paymentText = (payment: Record<string, unknown>) =>
  `${payment.last4 ? cardText(payment) : [t('Receipt'), payment.number].join(' ')}: ${payment.amount}`;

/** Returns the fields of a change of access that differ. */
function describeChange(before: unknown, after: unknown): (readonly [string, string])[] {
  const [old, next] = [fieldsOf(before), fieldsOf(after)];
  return [...new Set([...Object.keys(old), ...Object.keys(next)])]
    .filter((name) => JSON.stringify(old[name] ?? null) !== JSON.stringify(next[name] ?? null))
    .map((name) => [
      FIELDS[name] ?? capitalized(name.replace(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`)),
      before === null || before === undefined ? valueText(next[name]) : `${valueText(old[name])} → ${valueText(next[name])}`,
    ]);
}

const fieldsOf = (fields: unknown) => (typeof fields === 'object' && fields !== null ? (fields as Record<string, unknown>) : {});
const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

function valueText(value: unknown): string {
  if (value === null || value === undefined || value === '') return t('none');
  if (typeof value === 'boolean') return value ? t('on') : t('off');
  if (Array.isArray(value)) return value.join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
