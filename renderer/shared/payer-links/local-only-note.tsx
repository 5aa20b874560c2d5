import Alert from '@mui/material/Alert';
import Link from '@mui/material/Link';
import { Link as RouterLink } from 'react-router';
import { t } from '#renderer/base/language';
import { useMay } from '#renderer/session/user';

/** Explains that the page opens on this computer only, with a link to the setting. */
export function LocalOnlyNote({ isMany = false }: { isMany?: boolean }) {
  const may = useMay();
  return (
    <Alert severity="warning" sx={{ flexShrink: 0, py: 0.5 }}>
      {isMany ? t('These links open only on this computer.') : t('This link opens only on this computer.')}{' '}
      {may('owner:addresses') ? (
        <Link component={RouterLink} to="/settings/payers" underline="always">
          {t('Set the public address')}
        </Link>
      ) : (
        t('Ask an owner to set the public address.')
      )}
    </Alert>
  );
}
