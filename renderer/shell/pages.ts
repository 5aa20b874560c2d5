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
import { t } from '#renderer/base/language';

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
  readonly badge?: 'failed-refunds' | 'unconfirmed' | 'disputes-due' | 'approvals' | 'queued-payments';
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
    pages: [{ path: '/sell', name: t('Sell'), icon: CreditCard, permission: 'transactions:write', keys: 'F2' }],
  },
  {
    name: t('Money in'),
    pages: [
      { path: '/transactions', name: t('Transactions'), icon: List, permission: 'transactions:read', keys: 'F9' },
      {
        path: '/unconfirmed-payments',
        name: t('Unconfirmed payments'),
        shortName: t('Unconfirmed'),
        icon: CircleHelp,
        permission: 'transactions:read',
        badge: 'unconfirmed',
        isHiddenWithoutBadge: true,
      },
      {
        path: '/queued-payments',
        name: t('Charge later'),
        icon: Hourglass,
        permission: 'queued-payments:read',
        badge: 'queued-payments',
        isHiddenWithoutBadge: true,
      },
      { path: '/cash', name: t('Cash and checks'), icon: Banknote, permission: 'tenders:read' },
      { path: '/customers', name: t('Customers'), icon: UserRound, permission: 'customers:read' },
      { path: '/recurring', name: t('Recurring'), icon: Repeat, permission: 'recurring:read' },
      { path: '/invoices', name: t('Invoices & links'), icon: FileText, permission: 'invoices:read' },
    ],
  },
  {
    name: t('Money out'),
    pages: [
      {
        path: '/refund-queue',
        name: t('Refund queue'),
        shortName: t('Refund queue', { context: 'navigation' }),
        icon: Undo2,
        permission: 'refunds:read',
        badge: 'failed-refunds',
      },
      { path: '/disputes', name: t('Disputes'), icon: Gavel, permission: 'disputes:read', badge: 'disputes-due' },
      { path: '/settlement', name: t('Settlement'), icon: Landmark, permission: 'settlement:read' },
      { path: '/reconciliation', name: t('Reconciliation'), icon: Scale, permission: 'settlement:read' },
    ],
  },
  {
    name: t('Insight'),
    pages: [
      { path: '/home', name: t('Home'), icon: House, permission: 'reporting:read' },
      { path: '/reports', name: t('Reports'), icon: ChartColumn, permission: 'reporting:read' },
    ],
  },
  {
    name: t('Developers'),
    pages: [
      { path: '/webhooks', name: t('Webhooks'), icon: Webhook, permission: 'webhooks:read' },
      { path: '/events', name: t('Events'), icon: Radio, permission: 'webhooks:read' },
      { path: '/api-keys', name: t('API keys'), icon: KeyRound, permission: 'api-keys:read' },
      { path: '/messages', name: t('Messages'), icon: Mail, permission: 'notifications:read' },
    ],
  },
  {
    name: t('Administration'),
    pages: [
      { path: '/approvals', name: t('Approvals'), icon: UserCheck, permission: 'approvals:read', badge: 'approvals' },
      { path: '/users', name: t('Users and roles'), icon: Users, permission: 'users:read' },
      { path: '/settings', name: t('Settings'), icon: Settings, permission: 'merchants:read' },
      {
        path: '/audit',
        name: t('Audit log'),
        shortName: t('Audit log', { context: 'navigation' }),
        icon: ScrollText,
        permission: 'audit:read',
      },
      { path: '/system', name: t('System'), icon: HardDrive, permission: 'settings:read' },
    ],
  },
];

export const PAGES: readonly Page[] = PAGE_GROUPS.flatMap(({ pages }) => pages);
