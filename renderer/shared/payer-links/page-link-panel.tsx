import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useQuery } from '@tanstack/react-query';
import type { Customer } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { FailureNote, useSubmit } from '#renderer/kit/ui';
import { useMerchant } from '#renderer/session/user';
import { LinkForm } from './link-form.tsx';
import { LinkList } from './link-list.tsx';
import { createPageLink, pageLinksQuery, revokePageLinks } from './requests.ts';

interface PageLinkPanelProps {
  readonly customer: Customer;
  readonly onClose: () => void;
}

/** Creates a link to the page of a customer, and revokes links. */
export function PageLinkPanel({ customer, onClose }: PageLinkPanelProps) {
  const { customerId } = customer;
  const { timezone } = useMerchant();
  const links = useQuery(pageLinksQuery(customerId));
  const revoking = useSubmit({
    send: (linkId?: string) => revokePageLinks(customerId, linkId),
    refresh: links.refetch,
    announcement: t('Revoked. The page shows nothing any more.'),
  });
  const open = (links.data?.items ?? []).filter(({ status }) => status === 'open');
  return (
    <Box sx={{ display: 'grid', gap: 4 }}>
      <LinkForm
        title={t('Link to the customer’s page')}
        explanation={t(
          'The customer sees open invoices, subscriptions, cards and receipts there, and can pay. Changes need a code that is sent to the address on file. The link is valid for 30 days.',
        )}
        customer={customer}
        create={(channels) => createPageLink(customerId, channels)}
        onClose={onClose}
      >
        {customer.email === null && customer.phone === null && (
          <Alert severity="info">
            {t('Without an email address or a phone number, the customer can look and pay, but change nothing.')}
          </Alert>
        )}
      </LinkForm>
      {open.length > 0 && <LinkList links={open} timezone={timezone} isBusy={revoking.isBusy} onRevoke={(id) => revoking.onSubmit(id)} />}
      {revoking.failure && <FailureNote failure={revoking.failure} />}
      {open.length > 1 && (
        <Button
          variant="outlined"
          color="error"
          disabled={revoking.isBusy}
          onClick={() => revoking.onSubmit(undefined)}
          sx={{ justifySelf: 'start' }}
        >
          {t('Revoke all links')}
        </Button>
      )}
    </Box>
  );
}
