import Box from '@mui/material/Box';
import { useQuery } from '@tanstack/react-query';
import { gatewaysQuery } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { TestBadge } from '#renderer/kit/ui';
import { useIsSandbox, useMay, useMerchant } from '#renderer/session/user';

/** Explains that charges move no money here, because every gateway of the merchant is in test mode. */
export function TestGatewayNote() {
  const { merchantId } = useMerchant();
  const isSandbox = useIsSandbox();
  const may = useMay();
  const { data } = useQuery({ ...gatewaysQuery(merchantId), enabled: !isSandbox && may('merchants:read') });
  const active = data?.items.filter(({ status }) => status === 'active') ?? [];
  if (active.length === 0 || active.some(({ settings }) => settings?.mode !== 'test')) return null;
  return (
    <Box
      role="note"
      sx={(theme) => ({
        display: 'flex',
        gap: 3,
        alignItems: 'center',
        px: 3,
        py: 2,
        mb: 4,
        borderRadius: 1,
        fontWeight: 550,
        color: theme.vars.palette.tone.warning.main,
        backgroundColor: theme.vars.palette.tone.warning.tint,
      })}
    >
      <TestBadge />
      {t('Test gateway: no money moves.')}
    </Box>
  );
}
