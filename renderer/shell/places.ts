import { t } from '#renderer/base/language';

/** A tab or a group of settings that the command palette opens. */
export interface Place {
  readonly path: string;
  readonly name: string;
  /** Other words by which people look for it, in all languages of the screens: as texts to translate they would be loaded before the sign-in. */
  readonly words: string;
  readonly permission: string;
}

const settings = (tab: string, name: string, words: string): Place => ({
  path: `/settings/${tab}`,
  name: t('Settings: {{name}}', { name }),
  words,
  permission: 'merchants:read',
});
const system = (tab: string, name: string, words: string): Place => ({
  path: `/system/${tab}`,
  name: t('System: {{name}}', { name }),
  words,
  permission: 'settings:read',
});

/** Tabs and settings, each with the words that people use for it. A tab of Settings or System belongs into this list. */
export const PLACES: readonly Place[] = [
  {
    path: '/cash?tab=shifts',
    name: t('Shifts'),
    words: 'shift drawer register float count turno cajón caja fondo arqueo',
    permission: 'shifts:read',
  },
  {
    path: '/unconfirmed-payments',
    name: t('Unconfirmed payments'),
    words: 'lost timeout inquiry perdido tiempo consulta',
    permission: 'transactions:read',
  },
  {
    path: '/transactions?status=authorized',
    name: t('Open authorizations'),
    words: 'hold capture auth retención captura autorización',
    permission: 'transactions:read',
  },
  { path: '/recurring/installments', name: t('Installment plans'), words: 'plan instalment cuota plazo', permission: 'recurring:read' },
  { path: '/invoices?tab=links', name: t('Payment links'), words: 'link qr checkout enlace pago', permission: 'invoices:read' },
  {
    path: '/customers?tab=expiring',
    name: t('Expiring cards'),
    words: 'card on file renewal tarjeta guardada renovación',
    permission: 'customers:read',
  },
  {
    path: '/customers/transfer',
    name: t('Import and export customers'),
    words: 'move transfer file csv mover transferir archivo',
    permission: 'customers:read',
  },
  {
    path: '/settlement?tab=payouts',
    name: t('Payouts'),
    words: 'bank transfer batch deposit banco transferencia lote depósito',
    permission: 'settlement:read',
  },
  {
    path: '/settlement?tab=funding',
    name: t('Funding report'),
    words: 'fees deposits accountant comisiones depósitos contable',
    permission: 'settlement:read',
  },
  {
    path: '/reconciliation/bank',
    name: t('Bank statements'),
    words: 'bank import match csv ofx banco importar conciliar',
    permission: 'settlement:read',
  },
  {
    path: '/reconciliation/close',
    name: t('Close a period and export the journal'),
    words: 'month accountant bookkeeping quickbooks xero export mes contable contabilidad exportar',
    permission: 'settlement:read',
  },
  { path: '/users/roles', name: t('Roles'), words: 'permissions rights permisos derechos', permission: 'users:read' },
  { path: '/audit/sessions', name: t('Sessions'), words: 'signed in devices revoke sesión dispositivos revocar', permission: 'audit:read' },
  settings('profile', t('Profile'), 'address phone name time zone currency dirección teléfono nombre zona horaria moneda'),
  settings('branding', t('Branding'), 'logo color receipt logotipo recibo'),
  settings('payers', t('Payers'), 'pay page checkout public address página pago dirección pública'),
  settings('channels', t('Messages'), 'email smtp sms text twilio correo texto'),
  settings('terminal', t('Virtual terminal'), 'sell screen register tip pantalla venta caja propina'),
  settings('readers', t('Card readers'), 'terminal pair chip tap pos device datáfono lector chip emparejar'),
  settings('items', t('Items'), 'product catalog price barcode producto catálogo precio código barras'),
  settings('amounts', t('Tax, tips, surcharge'), 'sales tax vat gratuity fee impuesto iva propina recargo'),
  settings('gateways', t('Gateways'), 'processor account stripe procesador cuenta'),
  settings('routing', t('Routing'), 'rules priority reglas prioridad'),
  settings('fraud', t('Fraud'), 'risk avs cvv velocity block riesgo velocidad bloquear'),
  settings('dunning', t('Dunning'), 'failed renewals retry subscription renovaciones fallidas reintento suscripción'),
  settings('refunds', t('Refunds'), 'failed refunds retry reembolsos fallidos reintento'),
  settings('approvals', t('Approvals'), 'four eyes limit rule cuatro ojos límite regla'),
  settings('fees', t('Fees'), 'rate cost tarifa costo'),
  settings('security', t('Security'), 'password lock sign-in two-factor contraseña bloqueo acceso dos factores'),
  settings('merchants', t('Merchants'), 'location store business sucursal tienda negocio'),
  system('status', t('Status'), 'health problem salud problema'),
  system('database', t('Database'), 'postgresql sqlite standby failover réplica conmutación'),
  system('backup', t('Backup'), 'restore copy restaurar copia'),
  system('keys', t('Keys and recovery'), 'master key recovery file clave maestra archivo recuperación'),
  system('security', t('Security activity'), 'sign-in attack acceso ataque'),
  system('updates', t('Updates'), 'version versión'),
  system('logs', t('Logs'), 'log errors registro errores'),
  system('diagnostics', t('Diagnostics'), 'support report soporte informe'),
  system('application', t('Application'), 'desktop tray start escritorio bandeja inicio'),
];
