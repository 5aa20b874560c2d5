import { t } from '#renderer/base/language';

/** A page of Settings. */
interface SettingsPage {
  /** Address: a tab of Settings, or another screen. */
  readonly path: string;
  readonly name: string;
  /** Other words by which people look for it, in all languages of the screens: as texts to translate they would be loaded before the sign-in. */
  readonly words: string;
  readonly permission: string;
  /** True if only users of the whole account open it. */
  readonly isOfAccount?: boolean;
}

const tab = (name: string, label: string, words: string, permission = 'merchants:read'): SettingsPage => ({
  path: `/settings/${name}`,
  name: label,
  words,
  permission,
});

/** Pages of Settings by subject. A tab of Settings belongs into this list. */
export const SETTINGS_GROUPS: readonly { readonly name: string; readonly pages: readonly SettingsPage[] }[] = [
  {
    name: t('Business'),
    pages: [
      tab('profile', t('Profile'), 'address phone name time zone currency dirección teléfono nombre zona horaria moneda'),
      tab('branding', t('Branding'), 'logo color receipt logotipo recibo'),
      tab('payers', t('Pay pages'), 'payers checkout public address página pago pagadores dirección pública'),
      tab('merchants', t('Locations'), 'merchants store business sucursal tienda negocio comercio'),
    ],
  },
  {
    name: t('Selling'),
    pages: [
      tab('terminal', t('Sell screen'), 'virtual terminal register tip pantalla venta caja propina'),
      tab('readers', t('Card readers'), 'terminal pair chip tap pos device datáfono lector chip emparejar', 'terminals:read'),
      tab('items', t('Items'), 'product catalog price barcode producto catálogo precio código barras', 'items:read'),
      tab('amounts', t('Tax, tips, surcharge'), 'sales tax vat gratuity fee impuesto iva propina recargo'),
      tab('reminders', t('Invoice reminders'), 'overdue chase unpaid due vencida recordatorio factura cobro'),
      tab('late-fees', t('Late fees'), 'overdue interest penalty unpaid grace mora recargo interés vencida'),
    ],
  },
  {
    name: t('Risk and processing'),
    pages: [
      tab('gateways', t('Gateways'), 'processor account stripe procesador cuenta'),
      tab('routing', t('Routing'), 'rules priority reglas prioridad'),
      tab('fraud', t('Fraud'), 'risk avs cvv velocity block riesgo velocidad bloquear'),
      tab('dunning', t('Failed renewals'), 'dunning retry subscription renovaciones fallidas reintento suscripción'),
      tab('refunds', t('Refund retries'), 'failed refunds retry reembolsos fallidos reintento'),
      tab('fees', t('Fees'), 'rate cost tarifa costo'),
      tab('approvals', t('Approval rules'), 'four eyes limit cuatro ojos límite regla', 'approvals:read'),
    ],
  },
  {
    name: t('Account'),
    pages: [
      { path: '/users', name: t('Users and roles'), words: 'staff people permissions personal permisos', permission: 'users:read' },
      { ...tab('channels', t('Email and texts'), 'messages smtp sms twilio correo texto mensajes', 'settings:read'), isOfAccount: true },
      tab('security', t('Security'), 'password lock sign-in two-factor contraseña bloqueo acceso dos factores', 'settings:read'),
      { path: '/audit', name: t('Audit log'), words: 'history changes historial cambios', permission: 'audit:read' },
      { path: '/system', name: t('System'), words: 'server backup servidor copia', permission: 'settings:read' },
    ],
  },
];

export const SETTINGS_PAGES: readonly SettingsPage[] = SETTINGS_GROUPS.flatMap(({ pages }) => pages);
