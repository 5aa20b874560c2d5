import Box from '@mui/material/Box';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import { type ReactNode, useState } from 'react';
import type { Customer } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { announce, PanelForm, useSubmit } from '#renderer/kit/ui';
import { useMerchant } from '#renderer/session/user';
import { UnsetChannelNote } from '#renderer/shared/messages';
import { CreatedLink } from './created-link.tsx';
import { LocalOnlyNote } from './local-only-note.tsx';
import type { Channel, createPageLink, createUpdateLink } from './requests.ts';

interface LinkFormProps {
  readonly title: string;
  readonly explanation: string;
  /** Addresses to which the link can be sent; undefined while they are loaded. */
  readonly customer: Pick<Customer, 'email' | 'phone'> | undefined;
  readonly create: (channels: Channel[]) => Promise<Awaited<ReturnType<typeof createPageLink | typeof createUpdateLink>>>;
  readonly onClose: () => void;
  readonly children?: ReactNode;
}

/** Form that creates a link for a customer, to copy or send by email or text message, and then shows it. */
export function LinkForm({ title, explanation, customer, create, onClose, children }: LinkFormProps) {
  const { isLocalOnly } = useMerchant();
  const [chosen, setChosen] = useState<readonly Channel[]>([]);
  const creating = useSubmit({
    send: () => create([...chosen]),
    onDone: ({ messageIds }) => announce(messageIds.length > 0 ? t('Link created. Its message is in the outbox.') : t('Link created.')),
    onClose,
  });
  const to = (channel: Channel): string => (channel === 'email' ? customer?.email : customer?.phone) ?? '';
  const channels = (['email', 'sms'] as const).filter((channel) => to(channel) !== '');
  if (creating.result) return <CreatedLink link={creating.result} onClose={onClose} />;
  return (
    <PanelForm
      {...creating}
      title={title}
      explanation={explanation}
      submitLabel={chosen.length > 0 ? t('Send link') : t('Create link')}
      focusesSubmit
    >
      {isLocalOnly && <LocalOnlyNote />}
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
      <UnsetChannelNote channels={chosen} />
      {children}
    </PanelForm>
  );
}
