import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import TextField from '@mui/material/TextField';
import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useState } from 'react';
import type { Invoice } from '#renderer/base/client';
import { Trans, t } from '#renderer/base/language';
import { focusField, KeyHint, PanelForm, useSubmit } from '#renderer/kit/ui';
import { UnsetChannelNote } from '#renderer/shared/messages';
import { LocalOnlyNote } from '#renderer/shared/payer-links';
import { printedTextsOf, unprintableCharacters } from '#shared/document-scripts';
import { type Channel, phoneDigits, type SendRequest, sendInvoice } from '../operations.ts';
import { EMAIL, PHONE } from '../patterns.ts';
import { hostedPagesQuery, refreshInvoices } from '../queries.ts';
import { sentText } from '../texts.ts';
import { offerText } from './hosted-page-texts.ts';

const MESSAGE_MAX = 1_000;

type Field = 'email' | 'phone';

interface SendForm {
  readonly channels: readonly Channel[];
  readonly email: string;
  readonly phone: string;
  readonly message: string;
}

/** Sends an invoice by email, text message, or both. */
export function SendPanel({ invoice, onClose }: { invoice: Invoice; onClose: () => void }) {
  const { customer } = invoice;
  const [form, setForm] = useState<SendForm>(() => ({
    channels: customer?.email || !customer?.phone ? ['email'] : ['sms'],
    email: customer?.email ?? '',
    phone: customer?.phone ?? '',
    message: '',
  }));
  const [isChecked, setChecked] = useState(false);
  const offer = useQuery({ ...hostedPagesQuery(invoice.invoiceId), enabled: invoice.isLocalOnly }).data?.offer;
  const sending = useSubmit({
    send: (body: SendRequest) => sendInvoice(invoice.invoiceId, body),
    refreshFirst: refreshInvoices,
    announcement: ({ delivery }) => sentText({ ...invoice, delivery }, recipientsText(form)),
    onClose,
  });
  const set = (changed: Partial<SendForm>) => {
    setForm({ ...form, ...changed });
    setChecked(false);
    sending.reset();
  };
  const toggle = (channel: Channel) =>
    set({ channels: form.channels.includes(channel) ? form.channels.filter((each) => each !== channel) : [...form.channels, channel] });
  const errors = errorsOf(form);
  const unprintable = unprintableCharacters(printedTextsOf(invoice));
  const messageOf = (field: Field) =>
    (isChecked ? errors[field] : undefined) ?? (sending.failure?.field === field ? sending.failure.message : undefined);
  const submit = () => {
    setChecked(true);
    const first = (['email', 'phone'] as const).find((field) => errors[field]);
    if (first) focusField(`send-${first}`);
    else if (form.channels.length > 0) sending.onSubmit(bodyOf(form));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    submit();
  };
  return (
    <Box onKeyDown={onKeyDown}>
      <PanelForm
        {...sending}
        title={invoice.sentAt === null ? t('Send') : t('Send again')}
        explanation={
          <Trans
            i18nKey="Sends a short message with a link to the pay page. The email also includes the PDF. <0/> sends from any field."
            components={[<KeyHint key="0" keys="Mod+Enter" />]}
          />
        }
        submitLabel={submitLabel(form)}
        failure={sending.failure && messageOf('email') === undefined && messageOf('phone') === undefined ? sending.failure : null}
        onSubmit={submit}
      >
        {invoice.isLocalOnly && <LocalOnlyNote />}
        {invoice.isLocalOnly && offer && (
          <Box sx={{ fontSize: 13, color: 'text.secondary' }}>
            {offerText(offer.delivery, offer.gateway)} {t('It is created in the section Payment page of the gateway.')}
          </Box>
        )}
        <Box role="group" aria-label={t('Send by')} sx={{ display: 'flex', flexWrap: 'wrap', gap: 4 }}>
          {(['email', 'sms'] as const).map((channel) => (
            <FormControlLabel
              key={channel}
              control={<Checkbox size="small" checked={form.channels.includes(channel)} onChange={() => toggle(channel)} />}
              label={channel === 'email' ? t('Email') : t('Text message')}
            />
          ))}
          {isChecked && form.channels.length === 0 && (
            <Box role="alert" sx={(theme) => ({ alignSelf: 'center', fontSize: 12, color: theme.vars.palette.error.main })}>
              {t('Choose email, text message or both.')}
            </Box>
          )}
        </Box>
        <UnsetChannelNote channels={form.channels} />
        {form.channels.includes('email') && unprintable.length > 0 && (
          <Alert severity="warning">
            {t('The PDF shows boxes in place of these characters: {{characters}}', { characters: unprintable.join(' ') })}
          </Alert>
        )}
        {form.channels.includes('email') && (
          <TextField
            id="send-email"
            label={t('Email')}
            value={form.email}
            onChange={({ target }) => set({ email: target.value })}
            autoFocus={form.email === ''}
            error={messageOf('email') !== undefined}
            helperText={messageOf('email')}
            slotProps={{ htmlInput: { inputMode: 'email', autoComplete: 'off', spellCheck: false, maxLength: 254 } }}
          />
        )}
        {form.channels.includes('sms') && (
          <TextField
            id="send-phone"
            label={t('Phone')}
            value={form.phone}
            onChange={({ target }) => set({ phone: target.value })}
            error={messageOf('phone') !== undefined}
            helperText={messageOf('phone') ?? t('For example +12075550142')}
            slotProps={{ htmlInput: { inputMode: 'tel', autoComplete: 'off', maxLength: 40 } }}
          />
        )}
        <TextField
          id="send-message"
          label={t('Personal message (optional)')}
          value={form.message}
          onChange={({ target }) => set({ message: target.value })}
          multiline
          minRows={2}
          maxRows={6}
          autoFocus={form.email !== '' || !form.channels.includes('email')}
          slotProps={{ htmlInput: { maxLength: MESSAGE_MAX } }}
        />
      </PanelForm>
    </Box>
  );
}

function submitLabel({ channels }: SendForm): string {
  if (channels.length === 0) return t('Send');
  if (channels.length > 1) return t('Send by email and text message');
  return channels.includes('email') ? t('Send by email') : t('Send by text message');
}

function errorsOf({ channels, email, phone }: SendForm): Partial<Record<Field, string>> {
  return {
    ...(channels.includes('email') &&
      !EMAIL.test(email.trim()) && { email: email.trim() === '' ? t('Enter an email address.') : t('Enter a valid email address.') }),
    ...(channels.includes('sms') &&
      !PHONE.test(phone.trim()) && { phone: phone.trim() === '' ? t('Enter a phone number.') : t('Enter a valid phone number.') }),
  };
}

function bodyOf({ channels, email, phone, message }: SendForm): SendRequest {
  return {
    sendVia: [...channels],
    ...(channels.includes('email') && { email: email.trim() }),
    ...(channels.includes('sms') && { phone: phoneDigits(phone) }),
    ...(message.trim() !== '' && { message: message.trim() }),
  };
}

function recipientsText({ channels, email, phone }: SendForm): string {
  if (channels.length > 1) return t('{{email}} and {{phone}}', { email: email.trim(), phone: phone.trim() });
  return channels.includes('email') ? email.trim() : phone.trim();
}
