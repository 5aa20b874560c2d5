import Box from '@mui/material/Box';

/** Abilities by permission, in the order of the navigation. */
const ABILITIES: readonly (readonly [permission: string, what: string])[] = [
  ['transactions:write', 'Take payments, capture and void'],
  ['transactions:read', 'View transactions, details and receipts'],
  ['tenders:write', 'Take cash and checks'],
  ['items:write', 'Change items and their prices'],
  ['items:read', 'Sell items'],
  ['tenders:refund', 'Refund cash and checks'],
  ['later:release', 'Decide about payments that are charged later'],
  ['shifts:write', 'Open, count and close shifts'],
  ['shifts:manage', 'See the expected cash of open shifts'],
  ['refunds:write', 'Refund payments'],
  ['refunds:read', 'View the refund queue'],
  ['webhooks:read', 'View webhooks and their deliveries'],
  ['webhooks:write', 'Create and change webhooks'],
  ['api-keys:read', 'View API keys and the request log'],
  ['api-keys:write', 'Create and revoke API keys'],
  ['users:read', 'View users and active sessions'],
  ['users:write', 'Invite and remove users, end sessions'],
  ['roles:read', 'View roles'],
  ['roles:write', 'Create and change roles'],
  ['merchants:read', 'View merchant settings'],
  ['merchants:write', 'Change settings, gateways and rules'],
  ['settings:read', 'View security settings and the test clock'],
  ['audit:read', 'View the audit log'],
];

/** List of what a user with these permissions can do. */
export function RoleAbilities({ permissions }: { permissions: readonly string[] }) {
  const abilities = ABILITIES.filter(([permission]) => permissions.includes(permission));
  return (
    <Box component="section" aria-label="What this role can do" sx={{ maxWidth: 320, fontSize: 13 }}>
      <Box sx={{ fontSize: 12, color: 'text.secondary', mb: 2 }}>This role can</Box>
      {abilities.length === 0 ? (
        <Box>Nothing: users with this role see no screens.</Box>
      ) : (
        <Box component="ul" sx={{ m: 0, pl: 4, display: 'grid', gap: 1 }}>
          {abilities.map(([permission, what]) => (
            <li key={permission}>{what}</li>
          ))}
        </Box>
      )}
    </Box>
  );
}
