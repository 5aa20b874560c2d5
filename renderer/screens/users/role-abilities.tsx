import Box from '@mui/material/Box';
import { t } from '#renderer/base/language';

/** Abilities by permission, in the order of the navigation. */
const ABILITIES: readonly (readonly [permission: string, what: string])[] = [
  ['transactions:write', t('Take payments, capture and void')],
  ['transactions:read', t('View transactions, details and receipts')],
  ['tenders:write', t('Take cash and checks')],
  ['items:write', t('Change items and their prices')],
  ['items:read', t('Sell items')],
  ['tenders:refund', t('Refund cash and checks')],
  ['gift-cards:write', t('Sell and block gift cards')],
  ['gift-cards:manage', t('Give, replace and unblock gift cards')],
  ['queued-payments:release', t('Decide about payments that are charged later')],
  ['shifts:write', t('Open, count and close shifts')],
  ['shifts:manage', t('See the expected cash of open shifts')],
  ['refunds:write', t('Refund payments')],
  ['refunds:read', t('View failed refunds')],
  ['webhooks:read', t('View webhooks and their deliveries')],
  ['webhooks:write', t('Create and change webhooks')],
  ['api-keys:read', t('View API keys and the request log')],
  ['api-keys:write', t('Create and revoke API keys')],
  ['users:read', t('View users and active sessions')],
  ['users:write', t('Invite and remove users, end sessions')],
  ['roles:read', t('View roles')],
  ['roles:write', t('Create and change roles')],
  ['merchants:read', t('View merchant settings')],
  ['merchants:write', t('Change settings, gateways and rules')],
  ['merchants:close', t('Close and reopen merchants')],
  ['settings:read', t('View security settings and the test clock')],
  ['audit:read', t('View the audit log')],
  ['customers:export', t('Export customers as a file')],
  ['transactions:export', t('Export payments as a file')],
  ['reporting:export', t('Export reports as a file')],
];

/** List of what a user with these permissions can do. */
export function RoleAbilities({ permissions }: { permissions: readonly string[] }) {
  const abilities = ABILITIES.filter(([permission]) => permissions.includes(permission));
  return (
    <Box component="section" aria-label={t('What this role can do')} sx={{ maxWidth: 320, fontSize: 13 }}>
      <Box sx={{ fontSize: 12, color: 'text.secondary', mb: 2 }}>{t('This role can')}</Box>
      {abilities.length === 0 ? (
        <Box>{t('Nothing: users with this role see no screens.')}</Box>
      ) : (
        <Box component="ul" sx={{ m: 0, paddingInlineStart: 4, display: 'grid', gap: 1 }}>
          {abilities.map(([permission, what]) => (
            <li key={permission}>{what}</li>
          ))}
        </Box>
      )}
    </Box>
  );
}
