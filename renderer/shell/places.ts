import { t } from '#renderer/base/language';

/** A tab that the command palette opens. */
export interface Place {
  readonly path: string;
  readonly name: string;
  /** Other words by which people look for it, in all languages of the screens: as texts to translate they would be loaded before the sign-in. */
  readonly words: string;
  readonly permission: string;
}

const system = (tab: string, name: string, words: string): Place => ({
  path: `/system/${tab}`,
  name: t('System: {{name}}', { name }),
  words,
  permission: 'settings:read',
});

/** Tabs of screens, each with the words that people use for it. A tab of System belongs into this list. */
export const PLACES: readonly Place[] = [
  {
    path: '/cash?tab=shifts',
    name: t('Shifts'),
    words: 'shift drawer register float count turno cajón caja fondo arqueo',
    permission: 'shifts:read',
  },
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
