import Alert from '@mui/material/Alert';
import Link from '@mui/material/Link';
import { useQuery } from '@tanstack/react-query';
import { Link as RouterLink } from 'react-router';
import { gatewayHealthQuery } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { useIsSandbox, useMay, useMerchant } from '#renderer/session/user';

/** Warns before the first card that a live merchant has no gateway, with a link to set one up. */
export function NoGatewayNote() {
  const { merchantId } = useMerchant();
  const isSandbox = useIsSandbox();
  const may = useMay();
  const { data } = useQuery({ ...gatewayHealthQuery, enabled: !isSandbox && may('transactions:read') });
  const own = data?.filter((gateway) => gateway.merchantId === merchantId);
  if (!own || own.some(({ status }) => status === 'active')) return null;
  const isNone = own.length === 0;
  return (
    <Alert severity="warning" sx={{ alignItems: 'flex-start' }}>
      <strong>{isNone ? t('No payment gateway is set up yet.') : t('Every payment gateway is disabled.')}</strong>{' '}
      {isNone ? t('Payments are refused until one is added.') : t('Payments are refused until one is enabled.')}{' '}
      {may('merchants:write') && may('api-keys:write') ? (
        <Link component={RouterLink} to="/settings/gateways" underline="always">
          {isNone ? t('Add a gateway') : t('View gateways')}
        </Link>
      ) : (
        t('Ask an administrator to do it under Settings, Gateways.')
      )}
    </Alert>
  );
}
