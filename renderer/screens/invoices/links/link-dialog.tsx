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
import { usePresent } from '../use-present.ts';
import { MadeLink } from './made-link.tsx';

const DAY_MS = 86_400_000;
const EXPIRIES = [
  { days: 0, name: 'Never' },
  { days: 1, name: 'In 1 day' },
  { days: 7, name: 'In 7 days' },
  { days: 30, name: 'In 30 days' },
] as const;
const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@.]{2,}$/;

const BLANK = { amount: '', description: '', email: '', days: 0, allowPartial: false };

interface LinkDialogProps {
  readonly onClose: () => void;
  /** The link that was made is to be opened. */
  readonly onOpen: (invoiceId: string) => void;
}

/** Creates a link for one amount, to copy, show as a QR code or send as a text message. */
export function LinkDialog({ onClose, onOpen }: LinkDialogProps) {
  const { merchantId, currency } = useMerchant();
  const { nowMs } = usePresent();
  const [form, setForm] = useState(BLANK);
  const [isChecked, setChecked] = useState(false);
  const making = useMoneyMutation((body: LinkBody, key) => createLink(body, key), {
    onSuccess: () => {
      void refreshInvoices();
      announce('The link is made.');
    },
  });
  if (making.data) return <MadeLink link={making.data} onClose={onClose} onOpen={onOpen} />;

  const set = (part: Partial<typeof BLANK>) => {
    setForm({ ...form, ...part });
    setChecked(false);
    if (making.error && !making.error.isOpen) making.reset();
  };
  const reading = readAmount(form.amount, currency);
  const refused = (field: string) => (making.error?.field === field ? making.error.message : undefined);
  const amountSaid = (isChecked ? amountProblem(form.amount, currency) : null) ?? refused('amount');
  const isNoEmail = form.email.trim() !== '' && !EMAIL.test(form.email.trim());
  const emailSaid = (isChecked && isNoEmail ? 'This is no e-mail address.' : undefined) ?? refused('customerEmail');
  const submit = () => {
    if (making.isPending) return;
    setChecked(true);
    if (reading.kind !== 'valid') return focusField('link-amount');
    if (isNoEmail) return focusField('link-email');
    making.mutate({
      merchantId,
      amount: reading.decimal,
      allowPartial: form.allowPartial,
      ...(form.description.trim() && { description: form.description.trim() }),
      ...(form.email.trim() && { customerEmail: form.email.trim() }),
      ...(form.days > 0 && { expiresAt: new Date(nowMs + form.days * DAY_MS).toISOString() }),
    });
  };
  return (
    <Dialog
      title="Payment link"
      isOpen
      onClose={onClose}
      onSubmit={submit}
      actions={
        <>
          <Button variant="text" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" variant="contained" color="primary" loading={making.isPending}>
            {reading.kind === 'valid' ? `Make a link for ${writeMoney(reading.decimal, currency)}` : 'Make a link'}
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
            error={amountSaid !== undefined}
            helperText={amountSaid}
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
          label="What it is for, optional"
          value={form.description}
          onChange={({ target }) => set({ description: target.value })}
          error={refused('description') !== undefined}
          helperText={refused('description') ?? 'The payer reads it.'}
          slotProps={{ htmlInput: { autoComplete: 'off', maxLength: 500 } }}
        />
        <TextField
          id="link-email"
          label="E-mail of the payer, optional"
          value={form.email}
          onChange={({ target }) => set({ email: target.value })}
          error={emailSaid !== undefined}
          helperText={emailSaid ?? 'Filled in for the receipt; nothing is sent yet.'}
          slotProps={{ htmlInput: { inputMode: 'email', autoComplete: 'off', spellCheck: false, maxLength: 254 } }}
        />
        <FormControlLabel
          control={<Switch size="small" checked={form.allowPartial} onChange={(_, allowPartial) => set({ allowPartial })} />}
          label="May be paid in parts"
          sx={{ ml: -1 }}
        />
        {making.error && amountSaid === undefined && emailSaid === undefined && refused('description') === undefined && (
          <FailureNote failure={making.error} />
        )}
      </Box>
    </Dialog>
  );
}
