import Alert from '@mui/material/Alert';
import Link from '@mui/material/Link';
import { Link as RouterLink } from 'react-router';
import { useMay } from '#renderer/session';

/** Explains that the page opens on this computer only, with a link to the setting. */
export function LocalOnlyNote({ isMany = false }: { isMany?: boolean }) {
  const may = useMay();
  return (
    <Alert severity="warning" sx={{ flexShrink: 0, py: 0.5 }}>
      {isMany ? 'These links open only on this computer.' : 'This link opens only on this computer.'}{' '}
      {may('merchants:write') ? (
        <Link component={RouterLink} to="/settings/payers" underline="always">
          Set the public address
        </Link>
      ) : (
        'Ask an administrator to set the public address.'
      )}
    </Alert>
  );
}
