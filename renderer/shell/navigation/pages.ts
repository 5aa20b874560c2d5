import {
  Banknote,
  ChartColumn,
  CircleCheckBig,
  Code,
  CreditCard,
  FileText,
  House,
  Landmark,
  List,
  type LucideIcon,
  Repeat,
  Scale,
  Settings,
  UserRound,
} from 'lucide-react';
import { t } from '#renderer/base/language';
import { SETTINGS_GROUPS, SETTINGS_PAGES } from '#renderer/shared/settings-pages';

/** A screen without an own place in the navigation: below another one, or in the column of an area. */
export interface SubPage {
  readonly path: string;
  readonly name: string;
  readonly permission: string;
  /** Earlier names and other words by which people look for it, in all languages of the screens. */
  readonly words?: string;
  /** True if only users of the whole account open it. */
  readonly isOfAccount?: boolean;
  /** True for a page outside of the screens. */
  readonly isExternal?: boolean;
}

/** A screen in the navigation and the command palette. */
export interface Page extends SubPage {
  readonly icon: LucideIcon;
  readonly keys?: string;
  /** Screens and saved views that the navigation lists below it while one of them is open. */
  readonly children?: readonly SubPage[];
}

/** Screens of one task. */
interface PageGroup {
  /** Heading; null for the screens at the top. */
  readonly name: string | null;
  readonly pages: readonly Page[];
}

/** An area with a column of its own, at the foot of the navigation. */
export interface Area {
  readonly name: string;
  readonly icon: LucideIcon;
  /** Permission to see the area in the navigation. */
  readonly permission: string;
  readonly groups: readonly AreaGroup[];
}

interface AreaGroup {
  readonly name: string;
  readonly pages: readonly SubPage[];
  /** Permission to see the group. Each page requires its own as well. */
  readonly permission?: string;
}

export const SELL: Page = { path: '/sell', name: t('Sell'), icon: CreditCard, permission: 'transactions:write', keys: 'F2' };
export const TO_DO_PATH = '/to-do';

/** The screens in the order of the navigation. */
export const PAGE_GROUPS: readonly PageGroup[] = [
  {
    name: null,
    pages: [
      { path: '/home', name: t('Home'), icon: House, permission: 'reporting:read' },
      {
        path: TO_DO_PATH,
        name: t('To do'),
        icon: CircleCheckBig,
        permission: 'reporting:read',
        words: 'attention inbox pendiente atención',
        children: [
          {
            path: '/approvals',
            name: t('Approvals'),
            words: 'second person history segunda persona historial',
            permission: 'approvals:read',
          },
        ],
      },
    ],
  },
  {
    name: t('Payments'),
    pages: [
      {
        path: '/transactions',
        name: t('Transactions'),
        icon: List,
        permission: 'transactions:read',
        keys: 'F9',
        children: [
          {
            path: '/transactions?status=authorized',
            name: t('Open authorizations'),
            permission: 'transactions:read',
            words: 'hold capture auth retención captura autorización',
          },
          {
            path: '/unconfirmed-payments',
            name: t('Unconfirmed payments'),
            permission: 'transactions:read',
            words: 'lost timeout inquiry perdido tiempo consulta',
          },
          { path: '/refund-queue', name: t('Failed refunds'), permission: 'refunds:read', words: 'refund queue declined cola reembolsos' },
          { path: '/disputes', name: t('Disputes'), permission: 'disputes:read', words: 'chargeback contracargo' },
          { path: '/queued-payments', name: t('Charge later'), permission: 'queued-payments:read', words: 'outage queue cola' },
        ],
      },
      { path: '/invoices', name: t('Invoices & links'), icon: FileText, permission: 'invoices:read' },
      {
        path: '/recurring',
        name: t('Subscriptions'),
        icon: Repeat,
        permission: 'recurring:read',
        words: 'recurring plan recurrente',
        children: [
          {
            path: '/recurring/installments',
            name: t('Installment plans'),
            permission: 'recurring:read',
            words: 'plan instalment cuota plazo',
          },
        ],
      },
      {
        path: '/customers',
        name: t('Customers'),
        icon: UserRound,
        permission: 'customers:read',
        children: [{ path: '/messages', name: t('Messages'), permission: 'notifications:read', words: 'email sms outbox correo' }],
      },
      {
        path: '/cash',
        name: t('Register'),
        icon: Banknote,
        permission: 'tenders:read',
        words: 'cash and checks drawer efectivo cheques caja',
        children: [
          {
            path: '/gift-cards',
            name: t('Gift cards'),
            permission: 'gift-cards:read',
            words: 'store credit voucher balance crédito vale saldo',
          },
        ],
      },
    ],
  },
  {
    name: t('Money'),
    pages: [
      { path: '/settlement', name: t('Payouts'), icon: Landmark, permission: 'settlement:read', words: 'settlement batch liquidación' },
      { path: '/reconciliation', name: t('Reconciliation'), icon: Scale, permission: 'settlement:read', words: 'bank match banco' },
      { path: '/reports', name: t('Reports'), icon: ChartColumn, permission: 'reporting:read' },
    ],
  },
];

export const SETTINGS_AREA: Area = {
  name: t('Settings'),
  icon: Settings,
  permission: 'merchants:write',
  // Managers run the business, and administrators the account.
  groups: SETTINGS_GROUPS.map((group, index) => ({
    ...group,
    ...(index === SETTINGS_GROUPS.length - 1 && { permission: 'users:read' }),
  })),
};

/** Areas at the foot of the navigation. */
export const AREAS: readonly Area[] = [
  {
    name: t('Developers'),
    icon: Code,
    permission: 'api-keys:read',
    groups: [
      {
        name: t('Developers'),
        pages: [
          { path: '/webhooks', name: t('Webhooks'), permission: 'webhooks:read' },
          { path: '/events', name: t('Events'), permission: 'webhooks:read' },
          { path: '/api-keys', name: t('API keys'), permission: 'api-keys:read' },
          { path: '/api-keys/requests', name: t('Request log'), permission: 'api-keys:read' },
          { path: '/docs', name: t('API reference'), permission: 'api-keys:read', isExternal: true },
        ],
      },
    ],
  },
  SETTINGS_AREA,
];

/** All screens with an icon. */
export const PAGES: readonly Page[] = [
  SELL,
  ...PAGE_GROUPS.flatMap(({ pages }) => pages),
  ...AREAS.flatMap(({ icon, groups }) =>
    groups
      .flatMap(({ pages }) => pages)
      .filter((page) => !page.isExternal && (!page.path.startsWith('/settings/') || page === SETTINGS_PAGES[0]))
      .map((page) => ({ ...page, icon, ...(page === SETTINGS_PAGES[0] && { path: '/settings', name: t('Settings') }) })),
  ),
];

/** Returns the path of an address without its query. */
export const pathOf = (address: string): string => address.split('?')[0] ?? address;

/** Returns true if a screen or one of its records is open. */
export const isWithin = (pathname: string, address: string): boolean => {
  const path = pathOf(address);
  return pathname === path || pathname.startsWith(`${path}/`);
};

/** Returns the entry below a page that is open: a screen, or a saved view if the address has its query. */
export const openChildOf = ({ children = [] }: Page, { pathname, search }: { readonly pathname: string; readonly search: string }) =>
  children.find(({ path }) => isWithin(pathname, path) && (!path.includes('?') || path === pathname + search));

/** Returns the area to which an open screen belongs. */
export const areaOf = (pathname: string): Area | undefined =>
  isWithin(pathname, '/settings')
    ? SETTINGS_AREA
    : AREAS.find(({ groups }) => groups.some(({ pages }) => pages.some(({ path }) => isWithin(pathname, path))));

/** Guide of the documentation for each screen, by its address. The longest address that fits wins. */
const GUIDES: Readonly<Record<string, string>> = {
  '/sell': 'amounts',
  '/home': 'to-do',
  '/to-do': 'to-do',
  '/transactions': 'refunds',
  '/unconfirmed-payments': 'unconfirmed-payments',
  '/refund-queue': 'refunds',
  '/disputes': 'disputes',
  '/queued-payments': 'outage',
  '/invoices': 'invoices-and-links',
  '/recurring': 'customers-and-recurring',
  '/recurring/installments': 'installments',
  '/customers': 'customers-and-recurring',
  '/customers/transfer': 'moving-customers',
  '/messages': 'messages',
  '/cash': 'cash',
  '/gift-cards': 'gift-cards',
  '/settlement': 'settlement',
  '/reconciliation': 'settlement',
  '/reconciliation/bank': 'bank',
  '/reconciliation/close': 'bank',
  '/reports': 'settlement',
  '/webhooks': 'webhooks',
  '/events': 'webhooks',
  '/api-keys': 'access',
  '/approvals': 'approvals',
  '/users': 'access',
  '/audit': 'operations/audit-stream',
  '/system': 'status',
  '/system/database': 'high-availability',
  '/system/backup': 'backup',
  '/system/keys': 'keys',
  '/system/security': 'security',
  '/system/updates': 'desktop',
  '/system/application': 'desktop',
  '/settings': 'access',
  '/settings/branding': 'printing',
  '/settings/payers': 'invoices-and-links',
  '/settings/terminal': 'amounts',
  '/settings/readers': 'card-readers',
  '/settings/items': 'items',
  '/settings/amounts': 'amounts',
  '/settings/gateways': 'connectors',
  '/settings/routing': 'routing-and-fraud',
  '/settings/fraud': 'routing-and-fraud',
  '/settings/dunning': 'customers-and-recurring',
  '/settings/refunds': 'refunds',
  '/settings/fees': 'settlement',
  '/settings/approvals': 'approvals',
  '/settings/channels': 'messages',
  '/settings/security': 'company-sign-in',
};

/** Returns the address of the guide of an open screen; that of the whole documentation for a screen without one. */
export function guideAddressOf(pathname: string): string {
  const [longest] = Object.keys(GUIDES)
    .filter((path) => isWithin(pathname, path))
    .sort((left, right) => right.length - left.length);
  if (longest === undefined) return '/docs';
  // Guides of daily work begin with this chapter; others open at their beginning.
  return `/docs/guides/${GUIDES[longest]}${longest.startsWith('/settings') ? '' : '#on-the-screen'}`;
}
