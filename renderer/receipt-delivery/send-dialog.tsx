import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useMay } from '#renderer/session';
import { Dialog, FailureNote } from '#renderer/ui';
import type { ReceiptPayment, SentReceipt } from './receipt-way.ts';
import { emailReceipt, phoneQuery, refreshMessages, textReceipt } from './requests.ts';

/** Longest address that there is. */
const TO_MAX = 254;

interface SendDialogProps {
  readonly channel: SentReceipt['channel'];
  readonly payment: ReceiptPayment;
  readonly refundId: string | undefined;
  readonly onSent: (sent: SentReceipt) => void;
  readonly onClose: () => void;
}

const WORDS = {
  email: { title: 'E-mail the receipt', refund: 'E-mail the receipt of this refund', label: 'E-mail', help: undefined },
  sms: { title: 'Text the receipt', refund: 'Text the receipt of this refund', label: 'Phone', help: 'Such as +12075550142' },
} as const;

/** Asks for the recipient of the receipt. The customer's own address is filled in, so that Enter sends it. */
export function SendDialog({ channel, payment, refundId, onSent, onClose }: SendDialogProps) {
  const may = useMay();
  const { transactionId, customer, customerId } = payment;
  const asksPhone = channel === 'sms' && customerId !== null && may('customers:read');
  const phone = useQuery({ ...phoneQuery(customerId ?? ''), enabled: asksPhone });
  const known = channel === 'email' ? (customer?.email ?? '') : (phone.data ?? '');
  const [typed, setTyped] = useState<string>();
  const to = (typed ?? known).trim();
  const send = useMutation({
    mutationFn: () =>
      channel === 'email' ? emailReceipt({ transactionId, ...(refundId && { refundId }) }, to) : textReceipt({ transactionId }, to),
    onSuccess: ({ messageId }) => {
      void refreshMessages();
      onSent({ messageId, to, channel });
    },
  });
  const words = WORDS[channel];
  const { error } = send;
  const isAtField = error !== null && ['email', 'phone'].includes(error.field ?? '');
  return (
    <Dialog
      title={refundId === undefined ? words.title : words.refund}
      isOpen
      onClose={onClose}
      maxWidth="xs"
      onSubmit={() => to !== '' && !send.isPending && send.mutate()}
      actions={
        <>
          <Button variant="text" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" variant="contained" color="primary" loading={send.isPending} disabled={to === ''}>
            Send
          </Button>
        </>
      }
    >
      <Box sx={{ display: 'grid', gap: 4, pt: 1 }}>
        <TextField
          id="receipt-to"
          label={words.label}
          type={channel === 'email' ? 'email' : 'tel'}
          value={typed ?? known}
          onChange={(event) => setTyped(event.target.value)}
          onFocus={(event) => event.target.select()}
          autoFocus
          error={isAtField}
          helperText={isAtField ? error.message : words.help}
          slotProps={{ htmlInput: { maxLength: TO_MAX, autoComplete: 'off', spellCheck: false } }}
        />
        {error && !isAtField && <FailureNote failure={error} />}
      </Box>
    </Dialog>
  );
}
