import {
  Banknote,
  ChartColumn,
  CircleHelp,
  CreditCard,
  FileText,
  Gavel,
  HardDrive,
  Hourglass,
  House,
  KeyRound,
  Landmark,
  List,
  type LucideIcon,
  Mail,
  Radio,
  Repeat,
  Scale,
  ScrollText,
  Settings,
  Undo2,
  UserCheck,
  UserRound,
  Users,
  Webhook,
} from 'lucide-react';

/** A screen in the navigation and the command palette. */
export interface Page {
  readonly path: string;
  readonly name: string;
  /** Name in the navigation if the full one is too long. */
  readonly shortName?: string;
  readonly icon: LucideIcon;
  readonly permission: string;
  readonly keys?: string;
  /** Number of items that need attention there. */
  readonly badge?: 'failed-refunds' | 'unconfirmed' | 'disputes-due' | 'approvals' | 'later';
  /** True if the navigation shows the screen only while its badge counts something, or while it is open. The palette always offers it. */
  readonly isHiddenWithoutBadge?: boolean;
}

/** Screens of one task. */
interface PageGroup {
  /** Heading; null for the screens at the top. */
  readonly name: string | null;
  readonly pages: readonly Page[];
}

/** The screens in the order of the navigation. */
export const PAGE_GROUPS: readonly PageGroup[] = [
  {
    name: null,
    pages: [{ path: '/sell', name: 'Sell', icon: CreditCard, permission: 'transactions:write', keys: 'F2' }],
  },
  {
    name: 'Money in',
    pages: [
      { path: '/transactions', name: 'Transactions', icon: List, permission: 'transactions:read', keys: 'F9' },
      {
        path: '/doubts',
        name: 'Unconfirmed payments',
        shortName: 'Unconfirmed',
        icon: CircleHelp,
        permission: 'transactions:read',
        badge: 'unconfirmed',
        isHiddenWithoutBadge: true,
      },
      {
        path: '/later',
        name: 'Charge later',
        icon: Hourglass,
        permission: 'later:read',
        badge: 'later',
        isHiddenWithoutBadge: true,
      },
      { path: '/cash', name: 'Cash and checks', icon: Banknote, permission: 'tenders:read' },
      { path: '/customers', name: 'Customers', icon: UserRound, permission: 'customers:read' },
      { path: '/recurring', name: 'Recurring', icon: Repeat, permission: 'recurring:read' },
      { path: '/invoices', name: 'Invoices & links', icon: FileText, permission: 'invoices:read' },
    ],
  },
  {
    name: 'Money out',
    pages: [
      { path: '/refund-queue', name: 'Refund queue', icon: Undo2, permission: 'refunds:read', badge: 'failed-refunds' },
      { path: '/disputes', name: 'Disputes', icon: Gavel, permission: 'disputes:read', badge: 'disputes-due' },
      { path: '/settlement', name: 'Settlement', icon: Landmark, permission: 'settlement:read' },
      { path: '/reconciliation', name: 'Reconciliation', icon: Scale, permission: 'settlement:read' },
    ],
  },
  {
    name: 'Insight',
    pages: [
      { path: '/home', name: 'Home', icon: House, permission: 'reporting:read' },
      { path: '/reports', name: 'Reports', icon: ChartColumn, permission: 'reporting:read' },
    ],
  },
  {
    name: 'Developers',
    pages: [
      { path: '/webhooks', name: 'Webhooks', icon: Webhook, permission: 'webhooks:read' },
      { path: '/events', name: 'Events', icon: Radio, permission: 'webhooks:read' },
      { path: '/api-keys', name: 'API keys', icon: KeyRound, permission: 'api-keys:read' },
      { path: '/messages', name: 'Messages', icon: Mail, permission: 'notifications:read' },
    ],
  },
  {
    name: 'Administration',
    pages: [
      { path: '/approvals', name: 'Approvals', icon: UserCheck, permission: 'approvals:read', badge: 'approvals' },
      { path: '/users', name: 'Users and roles', icon: Users, permission: 'users:read' },
      { path: '/settings', name: 'Settings', icon: Settings, permission: 'merchants:read' },
      { path: '/audit', name: 'Audit log', icon: ScrollText, permission: 'audit:read' },
      { path: '/system', name: 'System', icon: HardDrive, permission: 'settings:read' },
    ],
  },
];

export const PAGES: readonly Page[] = PAGE_GROUPS.flatMap(({ pages }) => pages);
