import {
  ChartColumn,
  CircleHelp,
  CreditCard,
  FileText,
  HardDrive,
  KeyRound,
  Landmark,
  List,
  type LucideIcon,
  Mail,
  Repeat,
  Scale,
  ScrollText,
  Settings,
  Undo2,
  UserRound,
  Users,
  Webhook,
} from 'lucide-react';

/** A screen that the rail and the palette lead to. */
interface Page {
  readonly path: string;
  readonly name: string;
  readonly icon: LucideIcon;
  readonly permission: string;
  readonly keys?: string;
  /** Number of items that need attention there. */
  readonly badge?: 'failed-refunds' | 'doubts';
}

/** The screens of this release, in the order of a day's work. */
export const PAGES: readonly Page[] = [
  { path: '/sell', name: 'Sell', icon: CreditCard, permission: 'transactions:write', keys: 'F2' },
  { path: '/transactions', name: 'Transactions', icon: List, permission: 'transactions:read', keys: 'F9' },
  { path: '/refund-queue', name: 'Refund queue', icon: Undo2, permission: 'refunds:read', badge: 'failed-refunds' },
  { path: '/doubts', name: 'In doubt', icon: CircleHelp, permission: 'transactions:read', badge: 'doubts' },
  { path: '/customers', name: 'Customers', icon: UserRound, permission: 'customers:read' },
  { path: '/recurring', name: 'Recurring', icon: Repeat, permission: 'recurring:read' },
  { path: '/invoices', name: 'Invoices & links', icon: FileText, permission: 'invoices:read' },
  { path: '/settlement', name: 'Settlement', icon: Landmark, permission: 'settlement:read' },
  { path: '/reconciliation', name: 'Reconciliation', icon: Scale, permission: 'settlement:read' },
  { path: '/reports', name: 'Reports', icon: ChartColumn, permission: 'reporting:read' },
  { path: '/messages', name: 'Messages', icon: Mail, permission: 'notifications:read' },
  { path: '/webhooks', name: 'Webhooks', icon: Webhook, permission: 'webhooks:read' },
  { path: '/api-keys', name: 'API keys', icon: KeyRound, permission: 'api-keys:read' },
  { path: '/users', name: 'Users and roles', icon: Users, permission: 'users:read' },
  { path: '/settings', name: 'Settings', icon: Settings, permission: 'merchants:read' },
  { path: '/audit', name: 'Audit log', icon: ScrollText, permission: 'audit:read' },
  { path: '/system', name: 'System', icon: HardDrive, permission: 'settings:read' },
];
