import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import { useQuery } from '@tanstack/react-query';
import { Link as RouterLink } from 'react-router';
import { type ConnectivityReport, gatewayHealthQuery, gatewaysQuery } from '#renderer/base/client';
import { Trans, t } from '#renderer/base/language';
import { TestBadge } from '#renderer/kit/ui';
import { outageTexts } from '#renderer/session/connectivity';
import { useTenantNow } from '#renderer/session/tenant-clock';
import { useIsSandbox, useMay, useMerchant } from '#renderer/session/user';

const DAY_CHECK_MS = 60_000;
const INVOICE_LINKS = [
  <Link key="0" component={RouterLink} to="/invoices/new" underline="always" />,
  <Link key="1" component={RouterLink} to="/invoices?tab=links" underline="always" />,
];

/** Explains in the form why it can't be charged, and offers what can be done instead. The buttons for cash and checks follow the form. */
export function OutageNote({ outage }: { outage: ConnectivityReport }) {
  const may = useMay();
  const { timezone } = useMerchant();
  const { cause, stopped } = outageTexts(outage, timezone, useTenantNow(DAY_CHECK_MS));
  const takesTenders = may('tenders:write');
  const makesInvoices = may('invoices:write');
  return (
    <Alert severity="error" sx={{ alignItems: 'flex-start' }} data-outage>
      <strong>{stopped}</strong> {cause}{' '}
      {outage.works.chargeLater && may('queued-payments:write') && `${t('Choose Saved to charge a saved card later.')} `}
      {takesTenders && makesInvoices && (
        <Trans
          i18nKey="Take cash or a check, or <0>create an invoice</0> or a <1>payment link</1> that the customer pays later."
          components={INVOICE_LINKS}
        />
      )}
      {takesTenders && !makesInvoices && t('Take cash or a check.')}
      {!takesTenders && makesInvoices && (
        <Trans
          i18nKey="You can <0>create an invoice</0> or a <1>payment link</1> that the customer pays later."
          components={INVOICE_LINKS}
        />
      )}
    </Alert>
  );
}

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
