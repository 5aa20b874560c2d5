import Box from '@mui/material/Box';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { t } from '#renderer/base/language';
import { announce, PanelForm } from '#renderer/kit/ui';
import { customerQuery } from '#renderer/shared/customers';
import { CreatedLink } from './created-link.tsx';
import { type Channel, createUpdateLink, type UpdateSubject } from './requests.ts';

interface UpdateLinkPanelProps {
  readonly subject: UpdateSubject;
  /** Name of the card or bank account to replace; null if there is none. */
  readonly methodName: string | null;
  readonly onClose: () => void;
}

/** Creates a link by which the customer replaces a card, to copy or send by email or text message. */
export function UpdateLinkPanel({ subject, methodName, onClose }: UpdateLinkPanelProps) {
  const [chosen, setChosen] = useState<readonly Channel[]>([]);
  const customer = useQuery(customerQuery(subject.customerId));
  const creating = useMutation({
    mutationFn: () => createUpdateLink(subject, [...chosen]),
    onSuccess: ({ messageIds }) => announce(messageIds.length > 0 ? t('Link created. Its message is in the outbox.') : t('Link created.')),
  });
  if (creating.data) return <CreatedLink link={creating.data} sentTo={chosen.map((channel) => to(channel))} onClose={onClose} />;
  const channels = (['email', 'sms'] as const).filter((channel) => to(channel) !== '');
  function to(channel: Channel): string {
    return (channel === 'email' ? customer.data?.email : customer.data?.phone) ?? '';
  }
  return (
    <PanelForm
      title={t('Link to update the card')}
      explanation={`${
        methodName === null
          ? t('The customer opens the link and enters a new card.')
          : t('The customer opens the link and enters a new card, which replaces {{card}} in all subscriptions.', { card: methodName })
      } ${t('A past due payment is retried with the new card. The link is valid for 30 days and for one card.')}`}
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
    </PanelForm>
  );
}
