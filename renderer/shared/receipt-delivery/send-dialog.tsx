import Box from '@mui/material/Box';
import TextField from '@mui/material/TextField';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { t } from '#renderer/base/language';
import { FormDialog, useSubmit } from '#renderer/kit/ui';
import { useMay } from '#renderer/session/user';
import { UnsetChannelNote } from '#renderer/shared/messages';
import type { ReceiptPayment, SentReceipt } from './receipt-action.ts';
import { emailReceipt, phoneQuery, refreshMessages, textReceipt } from './requests.ts';

/** Maximum length of an email address. */
const RECIPIENT_LENGTH_MAX = 254;

interface SendDialogProps {
  readonly channel: SentReceipt['channel'];
  readonly payment: ReceiptPayment;
  readonly refundId: string | undefined;
  readonly onSent: (sent: SentReceipt) => void;
  readonly onClose: () => void;
}

const TEXTS = {
  email: { title: t('Email the receipt'), refund: t('Email the receipt for this refund'), label: t('Email'), help: undefined },
  sms: {
    title: t('Text the receipt'),
    refund: t('Text the receipt for this refund'),
    label: t('Phone'),
    help: t('For example +12075550142'),
  },
} as const;

/** Asks for the recipient of the receipt. The customer's own address is filled in, so that Enter sends it. */
export function SendDialog({ channel, payment, refundId, onSent, onClose }: SendDialogProps) {
  const may = useMay();
  const { transactionId, customer, customerId } = payment;
  const needsPhone = channel === 'sms' && customerId !== null && may('customers:read');
  const phone = useQuery({ ...phoneQuery(customerId ?? ''), enabled: needsPhone });
  const defaultRecipient = channel === 'email' ? (customer?.email ?? '') : (phone.data ?? '');
  const [typed, setTyped] = useState<string>();
  const to = (typed ?? defaultRecipient).trim();
  const send = useSubmit({
    send: () =>
      channel === 'email' ? emailReceipt({ transactionId, ...(refundId && { refundId }) }, to) : textReceipt({ transactionId }, to),
    refresh: refreshMessages,
    onDone: ({ messageId }) => onSent({ messageId, to, channel }),
    onClose,
  });
  const texts = TEXTS[channel];
  const isAtField = ['email', 'phone'].includes(send.failure?.field ?? '');
  return (
    <FormDialog
      {...send}
      title={refundId === undefined ? texts.title : texts.refund}
      submitLabel={t('Send')}
      isDisabled={to === ''}
      failure={isAtField ? null : send.failure}
      maxWidth="xs"
    >
      <Box sx={{ display: 'grid', gap: 4, pt: 1 }}>
        <TextField
          id="receipt-to"
          label={texts.label}
          type={channel === 'email' ? 'email' : 'tel'}
          value={typed ?? defaultRecipient}
          onChange={(event) => setTyped(event.target.value)}
          onFocus={(event) => event.target.select()}
          autoFocus
          error={isAtField}
          helperText={isAtField ? send.failure?.message : texts.help}
          slotProps={{ htmlInput: { maxLength: RECIPIENT_LENGTH_MAX, autoComplete: 'off', spellCheck: false } }}
        />
        <UnsetChannelNote channels={[channel]} />
      </Box>
    </FormDialog>
  );
}
