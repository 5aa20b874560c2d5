import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Customer } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { announce, FailureNote, PanelForm } from '#renderer/kit/ui';
import { useMerchant } from '#renderer/session/user';
import { CreatedLink } from './created-link.tsx';
import { LinkList } from './link-list.tsx';
import { type Channel, createPageLink, pageLinksQuery, revokePageLinks } from './requests.ts';

interface PageLinkPanelProps {
  readonly customer: Customer;
  readonly onClose: () => void;
}

/** Creates a link to the page of a customer, to copy or send, and revokes links. */
export function PageLinkPanel({ customer, onClose }: PageLinkPanelProps) {
  const { customerId } = customer;
  const [chosen, setChosen] = useState<readonly Channel[]>([]);
  const { timezone } = useMerchant();
  const links = useQuery(pageLinksQuery(customerId));
  const creating = useMutation({
    mutationFn: () => createPageLink(customerId, [...chosen]),
    onSuccess: ({ messageIds }) => announce(messageIds.length > 0 ? t('Link created. Its message is in the outbox.') : t('Link created.')),
  });
  const revoking = useMutation({
    mutationFn: (linkId?: string) => revokePageLinks(customerId, linkId),
    onSuccess: () => {
      announce(t('Revoked. The page shows nothing any more.'));
      void links.refetch();
    },
  });
  const to = (channel: Channel): string => (channel === 'email' ? customer.email : customer.phone) ?? '';
  const channels = (['email', 'sms'] as const).filter((channel) => to(channel) !== '');
  if (creating.data) return <CreatedLink link={creating.data} sentTo={chosen.map(to)} onClose={onClose} />;
  const open = (links.data?.items ?? []).filter(({ status }) => status === 'open');
  return (
    <Box sx={{ display: 'grid', gap: 4 }}>
      <PanelForm
        title={t('Link to the customer’s page')}
        explanation={t(
          'The customer sees open invoices, subscriptions, cards and receipts there, and can pay. Changes need a code that is sent to the address on file. The link is valid for 30 days.',
        )}
        submitLabel={chosen.length > 0 ? t('Send link') : t('Create link')}
        isBusy={creating.isPending}
        failure={creating.error}
        onSubmit={() => creating.mutate()}
        onClose={onClose}
        focusesSubmit
      >
        {channels.length > 0 && (
          <Box role="group" aria-label={t('Send the link')} sx={{ display: 'grid' }}>
            {channels.map((channel) => (
              <FormControlLabel
                key={channel}
                control={
                  <Checkbox
                    checked={chosen.includes(channel)}
                    onChange={(_, isChecked) => setChosen(isChecked ? [...chosen, channel] : chosen.filter((one) => one !== channel))}
                  />
                }
                label={
                  channel === 'email'
                    ? t('Email it to {{address}}', { address: to(channel) })
                    : t('Text it to {{phone}}', { phone: to(channel) })
                }
              />
            ))}
          </Box>
        )}
        {customer.email === null && customer.phone === null && (
          <Alert severity="info">
            {t('Without an email address or a phone number, the customer can look and pay, but change nothing.')}
          </Alert>
        )}
      </PanelForm>
      {open.length > 0 && <LinkList links={open} timezone={timezone} isBusy={revoking.isPending} onRevoke={(id) => revoking.mutate(id)} />}
      {revoking.error && <FailureNote failure={revoking.error} />}
      {open.length > 1 && (
        <Button
          variant="outlined"
          color="error"
          disabled={revoking.isPending}
          onClick={() => revoking.mutate(undefined)}
          sx={{ justifySelf: 'start' }}
        >
          {t('Revoke all links')}
        </Button>
      )}
    </Box>
  );
}
