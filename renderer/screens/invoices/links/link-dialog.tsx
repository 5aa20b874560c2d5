import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import Switch from '@mui/material/Switch';
import TextField from '@mui/material/TextField';
import { useState } from 'react';
import { t } from '#renderer/base/language';
import { amountProblem, decimalText, readAmount, type TaxRule, taxedTotal, taxRuleOf, writeAmount, writeMoney } from '#renderer/base/money';
import { announce, FormDialog, focusField, SelectField, useAfterRender, useSubmit } from '#renderer/kit/ui';
import { useMerchant } from '#renderer/session/user';
import { LocalOnlyNote } from '#renderer/shared/payer-links';
import { cellId } from '../editor/editor-form.ts';
import { LineGrid } from '../editor/line-grid.tsx';
import { emptyLine, firstProblem, itemsOf, type LineForm, sumMinor } from '../editor/lines.ts';
import { type AskForTip, type Channel, createLink, phoneDigits } from '../operations.ts';
import { EMAIL, PHONE } from '../patterns.ts';
import { refreshInvoices } from '../queries.ts';
import { useCurrentTime } from '../use-current-time.ts';
import { CreatedLinkDialog } from './created-link-dialog.tsx';

const DAY_MS = 86_400_000;
const EXPIRIES = [
  { days: 0, name: t('Never') },
  { days: 1, name: t('In 1 day') },
  { days: 7, name: t('In 7 days') },
  { days: 30, name: t('In 30 days') },
] as const;

interface LinkForm {
  readonly amount: string;
  /** Lines from which the amount is computed; null if the amount is entered. */
  readonly lines: readonly LineForm[] | null;
  /** Tax as typed; empty while it is computed. */
  readonly tax: string;
  readonly purchaseOrder: string;
  readonly description: string;
  readonly email: string;
  readonly phone: string;
  readonly sendVia: readonly Channel[];
  readonly days: number;
  readonly allowPartial: boolean;
  readonly collectShippingAddress: boolean;
  readonly askForTip: AskForTip;
}

const EMPTY_FORM: LinkForm = {
  amount: '',
  lines: null,
  tax: '',
  purchaseOrder: '',
  description: '',
  email: '',
  phone: '',
  sendVia: [],
  days: 0,
  allowPartial: false,
  collectShippingAddress: false,
  askForTip: 'default',
};

interface LinkDialogProps {
  readonly onClose: () => void;
  /** Called to open the created link. */
  readonly onOpen: (invoiceId: string) => void;
}

/** Creates a link for an amount or for lines, to copy, show as a QR code, or send by email and text message. */
export function LinkDialog({ onClose, onOpen }: LinkDialogProps) {
  const { merchantId, currency, amountSettings, isLocalOnly } = useMerchant();
  const { nowMs } = useCurrentTime();
  const [form, setForm] = useState(EMPTY_FORM);
  const [isChecked, setChecked] = useState(false);
  const afterRender = useAfterRender();
  const creating = useSubmit({
    send: createLink,
    refresh: refreshInvoices,
    onDone: ({ messageIds }) =>
      announce(messageIds.length > 0 ? t('Payment link created. Its message is in the outbox.') : t('Payment link created.')),
    onClose,
  });
  if (creating.result)
    return (
      <CreatedLinkDialog
        link={creating.result}
        sentTo={form.sendVia.map((channel) => (channel === 'email' ? form.email : form.phone).trim())}
        onClose={onClose}
        onOpen={onOpen}
      />
    );

  const set = (changed: Partial<LinkForm>) => {
    setForm({ ...form, ...changed });
    setChecked(false);
    if (creating.failure && !creating.failure.isUnconfirmed) creating.reset();
  };
  const { lines } = form;
  const reading = readAmount(lines === null ? form.amount : decimalText(sumMinor(lines, currency), currency), currency);
  const refusalOf = (field: string) => (creating.failure?.field === field ? creating.failure.message : undefined);
  const amountMessage = (isChecked && lines === null ? amountProblem(form.amount, currency) : null) ?? refusalOf('amount');
  const isEmpty = lines !== null && isChecked && firstProblem(lines, currency) === undefined && reading.kind !== 'valid';
  const linesMessage = isEmpty ? t('Enter at least one line with a price above 0.') : (refusalOf('items') ?? refusalOf('amount'));
  // Prices of lines contain the taxes of their items.
  const taxRule = lines === null ? taxRuleOf(amountSettings) : null;
  const total = reading.kind === 'valid' ? taxedTotal({ amount: reading.decimal, tax: form.tax }, taxRule, currency) : null;
  const taxMessage =
    (isChecked && total === null && reading.kind === 'valid'
      ? (amountProblem(form.tax, currency) ?? t('The tax exceeds the amount.'))
      : undefined) ?? refusalOf('taxAmount');
  const recipientErrors = recipientErrorsOf(form);
  const emailMessage = (isChecked ? recipientErrors.email : undefined) ?? refusalOf('customerEmail');
  const phoneMessage = (isChecked ? recipientErrors.phone : undefined) ?? refusalOf('phone');
  const sendMessage = refusalOf('sendVia');
  const tipMessage = refusalOf('askForTip');
  const isAtField = [
    amountMessage,
    refusalOf('items'),
    taxMessage,
    emailMessage,
    phoneMessage,
    sendMessage,
    tipMessage,
    refusalOf('description'),
  ].some((message) => message !== undefined);
  const submit = () => {
    setChecked(true);
    const problem = lines === null ? undefined : firstProblem(lines, currency);
    const wrong = problem && lines?.[problem.row];
    if (problem && wrong) return focusField(cellId(wrong.id, problem.cell));
    if (reading.kind !== 'valid') return focusField(lines === null ? 'link-amount' : cellId(lines[0]?.id ?? 0, 'description'));
    if (total === null) return focusField('link-tax');
    if (recipientErrors.email) return focusField('link-email');
    if (recipientErrors.phone) return focusField('link-phone');
    creating.onSubmit({
      merchantId,
      ...(lines === null ? { amount: total.amount } : { items: itemsOf(lines, currency) }),
      ...(total.tax !== null && { taxAmount: total.tax }),
      ...(form.purchaseOrder.trim() && { purchaseOrderNumber: form.purchaseOrder.trim() }),
      allowPartial: form.allowPartial,
      collectShippingAddress: form.collectShippingAddress,
      askForTip: form.askForTip,
      ...(form.description.trim() && { description: form.description.trim() }),
      ...(form.email.trim() && { customerEmail: form.email.trim() }),
      ...(form.phone.trim() && { phone: phoneDigits(form.phone) }),
      ...(form.sendVia.length > 0 && { sendVia: [...form.sendVia] }),
      ...(form.days > 0 && { expiresAt: new Date(nowMs + form.days * DAY_MS).toISOString() }),
    });
  };
  return (
    <FormDialog
      {...creating}
      title={t('New payment link')}
      submitLabel={submitLabel(total === null ? null : writeMoney(total.amount, currency), form.sendVia.length > 0)}
      failure={isAtField ? null : creating.failure}
      onSubmit={submit}
      maxWidth={lines === null ? 'sm' : 'md'}
    >
      <Box sx={{ display: 'grid', gap: 4, pt: 1 }}>
        {lines !== null && (
          <LineGrid
            lines={lines}
            currency={currency}
            isChecked={isChecked}
            problem={linesMessage}
            onChange={(changed) => set({ lines: changed })}
            onEnd={() => focusField('link-expiry')}
          />
        )}
        <Box sx={{ display: 'grid', gap: 4, gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' }, alignItems: 'start' }}>
          {lines === null && (
            <TextField
              id="link-amount"
              label={t('Amount, {{currency}}', { currency })}
              autoFocus
              value={form.amount}
              onChange={({ target }) => set({ amount: target.value })}
              error={amountMessage !== undefined}
              helperText={amountMessage}
              slotProps={{
                htmlInput: { inputMode: 'decimal', autoComplete: 'off', maxLength: 18, style: { textAlign: 'end', fontWeight: 600 } },
              }}
            />
          )}
          <SelectField
            id="link-expiry"
            label={t('Expires')}
            value={String(form.days)}
            options={EXPIRIES.map(({ days, name }) => [String(days), name] as const)}
            onChange={(value) => set({ days: Number(value) })}
          />
        </Box>
        <Box>
          <Button
            variant="text"
            size="small"
            onClick={() => {
              set({ lines: lines === null ? [emptyLine(1)] : null });
              afterRender(() => focusField(lines === null ? cellId(1, 'description') : 'link-amount'));
            }}
          >
            {lines === null ? t('Enter lines instead of an amount') : t('Enter an amount instead of lines')}
          </Button>
        </Box>
        <Box sx={{ display: 'grid', gap: 4, gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' }, alignItems: 'start' }}>
          <TextField
            id="link-tax"
            label={taxRule ? taxRuleText(taxRule) : t('Tax within the amount (optional)')}
            value={form.tax}
            onChange={({ target }) => set({ tax: target.value })}
            placeholder={taxRule ? writeAmount(total?.tax ?? 0, currency) : undefined}
            error={taxMessage !== undefined}
            helperText={taxMessage}
            slotProps={{ htmlInput: { inputMode: 'decimal', autoComplete: 'off', maxLength: 18, style: { textAlign: 'end' } } }}
          />
          <TextField
            id="link-purchase-order"
            label={t('Purchase order number (optional)')}
            value={form.purchaseOrder}
            onChange={({ target }) => set({ purchaseOrder: target.value })}
            error={refusalOf('purchaseOrderNumber') !== undefined}
            helperText={refusalOf('purchaseOrderNumber')}
            slotProps={{ htmlInput: { autoComplete: 'off', maxLength: 25 } }}
          />
        </Box>
        <TextField
          id="link-description"
          label={t('Description (optional)')}
          value={form.description}
          onChange={({ target }) => set({ description: target.value })}
          error={refusalOf('description') !== undefined}
          helperText={refusalOf('description') ?? t('Shown to the payer.')}
          slotProps={{ htmlInput: { autoComplete: 'off', maxLength: 500 } }}
        />
        <Box sx={{ display: 'grid', gap: 4, gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' }, alignItems: 'start' }}>
          <TextField
            id="link-email"
            label={form.sendVia.includes('email') ? t('Payer’s email') : t('Payer’s email (optional)')}
            value={form.email}
            onChange={({ target }) => set({ email: target.value })}
            error={emailMessage !== undefined}
            helperText={emailMessage ?? t('Prefilled for the receipt.')}
            slotProps={{ htmlInput: { inputMode: 'email', autoComplete: 'off', spellCheck: false, maxLength: 254 } }}
          />
          <TextField
            id="link-phone"
            label={form.sendVia.includes('sms') ? t('Payer’s phone') : t('Payer’s phone (optional)')}
            value={form.phone}
            onChange={({ target }) => set({ phone: target.value })}
            error={phoneMessage !== undefined}
            helperText={phoneMessage ?? t('For example +12075550142')}
            slotProps={{ htmlInput: { inputMode: 'tel', autoComplete: 'off', maxLength: 40 } }}
          />
        </Box>
        {isLocalOnly && <LocalOnlyNote />}
        <Box>
          <Box role="group" aria-label={t('Send the link')} sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 4 }}>
            {(['email', 'sms'] as const).map((channel) => (
              <FormControlLabel
                key={channel}
                control={
                  <Checkbox
                    size="small"
                    checked={form.sendVia.includes(channel)}
                    onChange={() => set({ sendVia: toggled(form, channel) })}
                  />
                }
                label={channel === 'email' ? t('Send by email') : t('Send by text message')}
              />
            ))}
          </Box>
          {sendMessage !== undefined && (
            <Box role="alert" sx={(theme) => ({ fontSize: 12, color: theme.vars.palette.error.main })}>
              {sendMessage}
            </Box>
          )}
        </Box>
        <SelectField
          id="link-tip"
          label={t('Tip on the pay page')}
          value={form.askForTip}
          options={[
            ['default', amountSettings.pageTips === 'off' ? t('As in the settings (not asked for)') : t('As in the settings (asked for)')],
            ['yes', t('Ask for a tip')],
            ['no', t('Don’t ask for a tip')],
          ]}
          onChange={(value) => set({ askForTip: value })}
          error={tipMessage !== undefined}
          helperText={tipMessage}
        />
        <FormControlLabel
          control={<Switch size="small" checked={form.allowPartial} onChange={(_, allowPartial) => set({ allowPartial })} />}
          label={t('Allow partial payments')}
          sx={{ marginInlineStart: -1 }}
        />
        <FormControlLabel
          control={
            <Switch
              size="small"
              checked={form.collectShippingAddress}
              onChange={(_, collectShippingAddress) => set({ collectShippingAddress })}
            />
          }
          label={t('Ask for a shipping address')}
          sx={{ marginInlineStart: -1, mt: -3 }}
        />
      </Box>
    </FormDialog>
  );
}

const toggled = ({ sendVia }: LinkForm, channel: Channel): Channel[] =>
  sendVia.includes(channel) ? sendVia.filter((each) => each !== channel) : [...sendVia, channel];

/** Returns the errors of the recipients; one is required if the link is sent to it. */
function recipientErrorsOf({ email, phone, sendVia }: LinkForm): { readonly email?: string; readonly phone?: string } {
  const isWrong = (channel: Channel, text: string, pattern: RegExp) =>
    text.trim() === '' ? sendVia.includes(channel) : !pattern.test(text.trim());
  return {
    ...(isWrong('email', email, EMAIL) && {
      email: email.trim() === '' ? t('Enter an email address.') : t('Enter a valid email address.'),
    }),
    ...(isWrong('sms', phone, PHONE) && { phone: phone.trim() === '' ? t('Enter a phone number.') : t('Enter a valid phone number.') }),
  };
}

function submitLabel(amount: string | null, isSent: boolean): string {
  if (amount === null) return isSent ? t('Create and send link') : t('Create link');
  return isSent ? t('Create and send link for {{amount}}', { amount }) : t('Create link for {{amount}}', { amount });
}

const taxRuleText = ({ name, percent, isIncluded }: TaxRule): string =>
  isIncluded ? t('{{tax}} ({{percent}}%, included)', { tax: name, percent }) : t('{{tax}} ({{percent}}%, added)', { tax: name, percent });
