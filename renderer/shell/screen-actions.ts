import { t } from '#renderer/base/language';

/** An action of a screen. The command palette opens the screen and runs the shortcut with this label. */
interface ScreenAction {
  readonly path: string;
  /** Label of the shortcut of the screen. */
  readonly label: string;
  /** Name away from its screen, if the label needs one. */
  readonly name?: string;
  readonly permission: string;
  /** Other words by which people look for it, in all languages of the screens. */
  readonly words: string;
}

/** The tab of Register with the drawer of this workstation. */
const SHIFT = '/cash?tab=my-shift';

/** Actions that the command palette offers on every screen. */
export const SCREEN_ACTIONS: readonly ScreenAction[] = [
  { path: '/invoices', label: t('New invoice'), permission: 'invoices:write', words: 'create bill crear factura' },
  { path: '/invoices', label: t('New payment link'), permission: 'invoices:write', words: 'create qr crear enlace' },
  { path: '/recurring', label: t('New subscription'), permission: 'recurring:write', words: 'create plan crear' },
  { path: '/customers', label: t('New customer'), permission: 'customers:write', words: 'add create client añadir crear' },
  { path: '/users', label: t('New user'), permission: 'users:write', words: 'add invite person staff añadir invitar persona' },
  { path: '/gift-cards', label: t('Give gift card'), permission: 'gift-cards:write', words: 'new store credit nueva crédito' },
  { path: '/settings/items', label: t('Add item'), permission: 'items:write', words: 'new product nuevo producto' },
  { path: SHIFT, label: t('Open shift'), permission: 'shifts:write', words: 'drawer float start caja fondo' },
  { path: SHIFT, label: t('Close shift'), permission: 'shifts:write', words: 'drawer count end z report caja arqueo' },
  { path: SHIFT, label: t('Pay in'), permission: 'shifts:write', words: 'drawer cash caja efectivo' },
  { path: SHIFT, label: t('Pay out', { context: 'cash' }), permission: 'shifts:write', words: 'drawer cash caja efectivo' },
  { path: '/sell', label: t('Parked sales'), permission: 'transactions:write', words: 'park resume hold aparcar' },
  { path: '/settlement', label: t('Record payout'), permission: 'settlement:write', words: 'bank deposit banco depósito' },
  { path: '/reconciliation/bank', label: t('Import statement'), permission: 'settlement:write', words: 'bank csv ofx banco' },
  {
    path: '/reconciliation',
    label: t('Import file'),
    name: t('{{page}}: {{name}}', { page: t('Reconciliation'), name: t('Import file') }),
    permission: 'settlement:write',
    words: 'processor report csv procesador informe',
  },
  {
    path: '/transactions',
    label: t('Export CSV'),
    name: t('{{page}}: {{name}}', { page: t('Transactions'), name: t('Export CSV') }),
    permission: 'transactions:export',
    words: 'download file spreadsheet descargar archivo',
  },
  { path: '/api-keys', label: t('New key'), permission: 'api-keys:write', words: 'api token create crear' },
  { path: '/settings/readers', label: t('Pair card reader'), permission: 'terminals:write', words: 'new terminal nuevo' },
];
