import Alert from '@mui/material/Alert';
import Link from '@mui/material/Link';
import { Link as RouterLink } from 'react-router';
import type { ConnectivityReport } from '#renderer/base/client';
import { Trans, t } from '#renderer/base/language';
import { outageTexts } from '#renderer/session/connectivity';
import { useTenantNow } from '#renderer/session/tenant-clock';
import { useMay, useMerchant } from '#renderer/session/user';

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
