import Box from '@mui/material/Box';

/** Screens that a permission opens, in the order of the navigation. */
const OPENS: readonly (readonly [permission: string, what: string])[] = [
  ['transactions:write', 'Sell: take payments, capture and void'],
  ['transactions:read', 'Transactions: the list, details and receipts'],
  ['refunds:write', 'Give money back'],
  ['refunds:read', 'Refund queue'],
  ['webhooks:read', 'Webhooks and their deliveries'],
  ['webhooks:write', 'Register and change webhooks'],
  ['api-keys:read', 'API keys and the request log'],
  ['api-keys:write', 'Make and revoke API keys'],
  ['users:read', 'Users, and who is signed in'],
  ['users:write', 'Invite and remove users, end sessions'],
  ['roles:read', 'Roles'],
  ['roles:write', 'Make and change roles'],
  ['merchants:read', 'Settings of the merchant'],
  ['merchants:write', 'Change settings, gateways and rules'],
  ['settings:read', 'Security settings and the sandbox'],
  ['audit:read', 'Audit log'],
];

/** Screens that a person with these permissions can open. */
export function SeenAs({ permissions }: { permissions: readonly string[] }) {
  const opened = OPENS.filter(([permission]) => permissions.includes(permission));
  return (
    <Box component="section" aria-label="Seen as this role" sx={{ maxWidth: 320, fontSize: 13 }}>
      <Box sx={{ fontSize: 12, color: 'text.secondary', mb: 2 }}>Whoever has it finds</Box>
      {opened.length === 0 ? (
        <Box>Nothing: a person with this role sees no screen.</Box>
      ) : (
        <Box component="ul" sx={{ m: 0, pl: 4, display: 'grid', gap: 1 }}>
          {opened.map(([permission, what]) => (
            <li key={permission}>{what}</li>
          ))}
        </Box>
      )}
    </Box>
  );
}
