import Alert from '@mui/material/Alert';
import Link from '@mui/material/Link';
import { Link as RouterLink } from 'react-router';
import type { Reach } from '#renderer/client';
import { outageTexts } from '#renderer/reach';
import { useMay, useMerchant } from '#renderer/session';
import { useTenantNow } from '#renderer/tenant-clock';

const DAY_CHECK_MS = 60_000;

/** Explains in the form why it can't be charged, and offers what can be done instead. The buttons for cash and checks follow the form. */
export function OutageNote({ outage }: { outage: Reach }) {
  const may = useMay();
  const { timezone } = useMerchant();
  const { cause, stopped } = outageTexts(outage, timezone, useTenantNow(DAY_CHECK_MS));
  const takesTenders = may('tenders:write');
  const makesInvoices = may('invoices:write');
  return (
    <Alert severity="error" sx={{ alignItems: 'flex-start' }} data-outage>
      <strong>{stopped}</strong> {cause} {outage.works.chargeLater && may('later:write') && 'Choose Saved to charge a saved card later. '}
      {takesTenders && `Take cash or a check${makesInvoices ? ', or ' : '.'}`}
      {makesInvoices && (
        <>
          {!takesTenders && 'You can '}
          <Link component={RouterLink} to="/invoices/new" underline="always">
            create an invoice
          </Link>{' '}
          or a{' '}
          <Link component={RouterLink} to="/invoices?tab=links" underline="always">
            payment link
          </Link>{' '}
          that the customer pays later.
        </>
      )}
    </Alert>
  );
}
