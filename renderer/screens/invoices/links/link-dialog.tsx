import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import FormControlLabel from '@mui/material/FormControlLabel';
import MenuItem from '@mui/material/MenuItem';
import Switch from '@mui/material/Switch';
import TextField from '@mui/material/TextField';
import { useState } from 'react';
import { useMoneyMutation } from '#renderer/client';
import { amountProblem, readAmount, writeMoney } from '#renderer/money';
import { useMerchant } from '#renderer/session';
import { announce, Dialog, FailureNote, focusField } from '#renderer/ui';
import { createLink, type LinkBody } from '../operations.ts';
import { refreshInvoices } from '../queries.ts';
import { useCurrentTime } from '../use-current-time.ts';
import { CreatedLinkDialog } from './created-link-dialog.tsx';

const DAY_MS = 86_400_000;
const EXPIRIES = [
  { days: 0, name: 'Never' },
  { days: 1, name: 'In 1 day' },
  { days: 7, name: 'In 7 days' },
  { days: 30, name: 'In 30 days' },
] as const;
const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@.]{2,}$/;

const EMPTY_FORM = { amount: '', description: '', email: '', days: 0, allowPartial: false, collectShippingAddress: false };

interface LinkDialogProps {
  readonly onClose: () => void;
  /** Called to open the created link. */
  readonly onOpen: (invoiceId: string) => void;
}

/** Creates a link for one amount, to copy, show as a QR code or send as a text message. */
export function LinkDialog({ onClose, onOpen }: LinkDialogProps) {
  const { merchantId, currency } = useMerchant();
  const { nowMs } = useCurrentTime();
  const [form, setForm] = useState(EMPTY_FORM);
  const [isChecked, setChecked] = useState(false);
  const creating = useMoneyMutation((body: LinkBody, key) => createLink(body, key), {
    onSuccess: () => {
      void refreshInvoices();
      announce('Payment link created.');
    },
  });
  if (creating.data) return <CreatedLinkDialog link={creating.data} onClose={onClose} onOpen={onOpen} />;

  const set = (changed: Partial<typeof EMPTY_FORM>) => {
    setForm({ ...form, ...changed });
    setChecked(false);
    if (creating.error && !creating.error.isUnconfirmed) creating.reset();
  };
  const reading = readAmount(form.amount, currency);
  const refusalOf = (field: string) => (creating.error?.field === field ? creating.error.message : undefined);
  const amountMessage = (isChecked ? amountProblem(form.amount, currency) : null) ?? refusalOf('amount');
  const isEmailInvalid = form.email.trim() !== '' && !EMAIL.test(form.email.trim());
  const emailMessage = (isChecked && isEmailInvalid ? 'Enter a valid email address.' : undefined) ?? refusalOf('customerEmail');
  const submit = () => {
    if (creating.isPending) return;
    setChecked(true);
    if (reading.kind !== 'valid') return focusField('link-amount');
    if (isEmailInvalid) return focusField('link-email');
    creating.mutate({
      merchantId,
      amount: reading.decimal,
      allowPartial: form.allowPartial,
      collectShippingAddress: form.collectShippingAddress,
      ...(form.description.trim() && { description: form.description.trim() }),
      ...(form.email.trim() && { customerEmail: form.email.trim() }),
      ...(form.days > 0 && { expiresAt: new Date(nowMs + form.days * DAY_MS).toISOString() }),
    });
  };
  return (
    <Dialog
      title="New payment link"
      isOpen
      onClose={onClose}
      onSubmit={submit}
      actions={
        <>
          <Button variant="text" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" variant="contained" color="primary" loading={creating.isPending}>
            {reading.kind === 'valid' ? `Create link for ${writeMoney(reading.decimal, currency)}` : 'Create link'}
          </Button>
        </>
      }
    >
      <Box sx={{ display: 'grid', gap: 4, pt: 1 }}>
        <Box sx={{ display: 'grid', gap: 4, gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' }, alignItems: 'start' }}>
          <TextField
            id="link-amount"
            label={`Amount, ${currency}`}
            autoFocus
            value={form.amount}
            onChange={({ target }) => set({ amount: target.value })}
            error={amountMessage !== undefined}
            helperText={amountMessage}
            slotProps={{
              htmlInput: { inputMode: 'decimal', autoComplete: 'off', maxLength: 18, style: { textAlign: 'right', fontWeight: 600 } },
            }}
          />
          <TextField
            id="link-expiry"
            select
            label="Expires"
            value={form.days}
            onChange={({ target }) => set({ days: Number(target.value) })}
          >
            {EXPIRIES.map(({ days, name }) => (
              <MenuItem key={days} value={days}>
                {name}
              </MenuItem>
            ))}
          </TextField>
        </Box>
        <TextField
          id="link-description"
          label="Description (optional)"
          value={form.description}
          onChange={({ target }) => set({ description: target.value })}
          error={refusalOf('description') !== undefined}
          helperText={refusalOf('description') ?? 'Shown to the payer.'}
          slotProps={{ htmlInput: { autoComplete: 'off', maxLength: 500 } }}
        />
        <TextField
          id="link-email"
          label="Payer’s email (optional)"
          value={form.email}
          onChange={({ target }) => set({ email: target.value })}
          error={emailMessage !== undefined}
          helperText={emailMessage ?? 'Prefilled for the receipt. Nothing is sent now.'}
          slotProps={{ htmlInput: { inputMode: 'email', autoComplete: 'off', spellCheck: false, maxLength: 254 } }}
        />
        <FormControlLabel
          control={<Switch size="small" checked={form.allowPartial} onChange={(_, allowPartial) => set({ allowPartial })} />}
          label="Allow partial payments"
          sx={{ ml: -1 }}
        />
        <FormControlLabel
          control={
            <Switch
              size="small"
              checked={form.collectShippingAddress}
              onChange={(_, collectShippingAddress) => set({ collectShippingAddress })}
            />
          }
          label="Ask for a shipping address"
          sx={{ ml: -1, mt: -3 }}
        />
        {creating.error && amountMessage === undefined && emailMessage === undefined && refusalOf('description') === undefined && (
          <FailureNote failure={creating.error} />
        )}
      </Box>
    </Dialog>
  );
}
