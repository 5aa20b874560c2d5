import type { Approval } from '#renderer/client';

const KINDS: Readonly<Record<Approval['kind'], string>> = {
  refund: 'Refund',
  void: 'Void',
  unlinked_credit: 'Credit without original payment',
  drawer_opening: 'Opening of the drawer without a sale',
  discount: 'Discount',
  access_change: 'Change of access',
  key_limit: 'Payment above the limits of an API key',
};

const ACTIONS: Readonly<Record<string, string>> = {
  'user.created': 'New user',
  'user.updated': 'Change of a user',
  'user.permissions_changed': 'Change of permissions',
  'user.deleted': 'Removal of a user',
  'role.created': 'New role',
  'role.updated': 'Change of a role',
  'role.deleted': 'Removal of a role',
  'api_key.created': 'New API key',
  'api_key.updated': 'Change of an API key',
  'approval_rules.updated': 'Change of the approval rules',
};

/** Returns the name of the operation that waits. */
export function kindText({ kind, details }: Pick<Approval, 'kind' | 'details'>): string {
  return ACTIONS[String(details.action)] ?? KINDS[kind];
}

/** Returns the facts by which the approver recognizes the operation, as label and value. */
export function factsOf({ details }: Pick<Approval, 'details'>): (readonly [string, string])[] {
  const { cardBrand, last4, orderId, drawer, reason, after, before } = details as Record<string, unknown>;
  const changed = describeChange(before, after);
  return [
    ...(last4 ? [['Card or account', `${cardBrand ? `${capitalized(String(cardBrand))} ` : ''}•••• ${last4}`] as const] : []),
    ...(orderId ? [['Order', String(orderId)] as const] : []),
    ...(drawer ? [['Drawer', String(drawer)] as const] : []),
    ...(reason ? [['Reason', String(reason)] as const] : []),
    ...changed,
  ];
}

/** Returns the fields of a change of access that differ. */
function describeChange(before: unknown, after: unknown): (readonly [string, string])[] {
  const [old, next] = [fieldsOf(before), fieldsOf(after)];
  return [...new Set([...Object.keys(old), ...Object.keys(next)])]
    .filter((name) => JSON.stringify(old[name] ?? null) !== JSON.stringify(next[name] ?? null))
    .map((name) => [
      capitalized(name.replace(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`)),
      before === null || before === undefined ? valueText(next[name]) : `${valueText(old[name])} → ${valueText(next[name])}`,
    ]);
}

const fieldsOf = (fields: unknown) => (typeof fields === 'object' && fields !== null ? (fields as Record<string, unknown>) : {});
const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

function valueText(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'none';
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  if (Array.isArray(value)) return value.join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
