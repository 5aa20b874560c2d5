/** Areas of permissions, in the order in which screens list them (decisions 3). */
export const AREAS = [
  'transactions',
  'refunds',
  'customers',
  'recurring',
  'invoices',
  'disputes',
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
