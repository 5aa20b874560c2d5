import { CreditCard, List, type LucideIcon } from 'lucide-react';

/** A screen that the rail and the palette lead to. */
export interface Page {
  readonly path: string;
  readonly name: string;
  readonly icon: LucideIcon;
  readonly permission: string;
  readonly keys: string;
}

/** The screens of this release, in the order of a day's work. */
export const PAGES: readonly Page[] = [
  { path: '/sell', name: 'Sell', icon: CreditCard, permission: 'transactions:write', keys: 'F2' },
  { path: '/transactions', name: 'Transactions', icon: List, permission: 'transactions:read', keys: 'F9' },
];
