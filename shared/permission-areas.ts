/** Areas of permissions, in the order in which screens list them. */
export const AREAS = [
  'transactions',
  'refunds',
  'credits',
  'customers',
  'recurring',
  'invoices',
  'items',
  'tenders',
  'gift-cards',
  'queued-payments',
  'shifts',
  'terminals',
  'disputes',
  'approvals',
  'settlement',
  'reporting',
  'webhooks',
  'merchants',
  'users',
  'roles',
  'api-keys',
  'audit',
  'notifications',
  'settings',
] as const;
export type Area = (typeof AREAS)[number];

/** Rights of single areas beside reading and writing. The name of an area in a list of permissions includes them. */
const FURTHER_RIGHTS = {
  transactions: ['export'],
  customers: ['export'],
  items: ['export'],
  tenders: ['refund', 'export'],
  'gift-cards': ['manage'],
  'queued-payments': ['release'],
  shifts: ['manage', 'export'],
  settlement: ['export'],
  reporting: ['export'],
  merchants: ['close'],
  audit: ['export'],
} as const satisfies Partial<Record<Area, readonly string[]>>;

/** An area whose records can be exported as a file. */
export type ExportArea = {
  [Each in keyof typeof FURTHER_RIGHTS]: 'export' extends (typeof FURTHER_RIGHTS)[Each][number] ? Each : never;
}[keyof typeof FURTHER_RIGHTS];

/** Area without a right to read: unlinked credits are payments, which `transactions:read` shows. */
type WriteOnlyArea = 'credits';

/** A permission of an area: reading, writing, or a right that only this area has. */
export type AreaPermission =
  | `${Exclude<Area, WriteOnlyArea>}:read`
  | `${Area}:write`
  | { [Each in keyof typeof FURTHER_RIGHTS]: `${Each}:${(typeof FURTHER_RIGHTS)[Each][number]}` }[keyof typeof FURTHER_RIGHTS];

/** Returns the rights of an area in the order of their reach. */
export function rightsOf(area: Area): readonly string[] {
  if (area === ('credits' satisfies WriteOnlyArea)) return ['write'];
  // A caller may pass the text of a request, such as "constructor", so inherited properties do not count.
  const further = Object.hasOwn(FURTHER_RIGHTS, area) ? (FURTHER_RIGHTS as Partial<Record<Area, readonly string[]>>)[area] : undefined;
  return ['read', 'write', ...(further ?? [])];
}
