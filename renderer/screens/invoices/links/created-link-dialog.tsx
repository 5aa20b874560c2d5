import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { Invoice } from '#renderer/base/client';
import { listText, t } from '#renderer/base/language';
import { CopyText, copyText, Dialog, FailureNote, keyTip, useShortcuts, useSubmit } from '#renderer/kit/ui';
import { LocalOnlyNote } from '#renderer/shared/payer-links';
import { HostedPageSection } from '../detail/hosted-page-section.tsx';
import { phoneDigits, type SendRequest, sendInvoice } from '../operations.ts';
import { invoiceQuery, qrCodeQuery, refreshInvoices } from '../queries.ts';
import { sentText } from '../texts.ts';

interface CreatedLinkDialogProps {
  readonly link: { readonly invoiceId: string; readonly url: string; readonly shortUrl: string };
  /** Recipients to whom the link was sent when it was created. */
  readonly sentTo: readonly string[];
  readonly onClose: () => void;
  readonly onOpen: (invoiceId: string) => void;
}

/** Shows a created payment link, to copy, scan or send. */
export function CreatedLinkDialog({ link, sentTo, onClose, onOpen }: CreatedLinkDialogProps) {
  const { invoiceId } = link;
  const code = useQuery(qrCodeQuery(invoiceId));
  const invoice = useQuery(invoiceQuery(invoiceId));
  // While a payment page of the gateway is open, the link has its address.
  const { url, shortUrl } = invoice.data ?? link;
  const copy = () => void copyText(shortUrl, t('Link'));
  return (
    <Dialog
      title={t('Payment link created')}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button variant="text" onClick={onClose}>
            {t('Close')}
          </Button>
          <Button onClick={() => onOpen(invoiceId)}>{t('View link')}</Button>
          <Button variant="contained" color="primary" onClick={copy} {...keyTip('C')} autoFocus>
            {t('Copy link')}
          </Button>
        </>
      }
    >
      <Shortcuts onCopy={copy} />
      <Box sx={{ display: 'grid', gap: 4, pt: 1 }}>
        {sentTo.length > 0 && invoice.data && <SentNote sent={invoice.data} recipients={listText(sentTo)} />}
        {invoice.data?.isLocalOnly && <LocalOnlyNote />}
        {invoice.data && <HostedPageSection invoice={invoice.data} />}
        <Box
          sx={{ display: 'grid', gap: 5, gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: '168px minmax(0, 1fr)' }, alignItems: 'start' }}
        >
          <Box sx={{ width: 168, height: 168, backgroundColor: '#FFFFFF', borderRadius: 1 }}>
            {code.data && (
              <Box
                component="img"
                src={code.data.qrCode}
                alt={t('QR code for {{url}}', { url: code.data.url })}
                sx={{ width: '100%', height: '100%', imageRendering: 'pixelated' }}
              />
            )}
          </Box>
          <Box sx={{ display: 'grid', gap: 4, minWidth: 0 }}>
            <LinkText name={t('Short link')} text={shortUrl} />
            <LinkText name={t('Full link')} text={url} />
            <SendTextForm invoiceId={invoiceId} />
          </Box>
        </Box>
      </Box>
    </Dialog>
  );
}

function LinkText({ name, text }: { name: string; text: string }) {
  return (
    <Box sx={{ fontSize: 13 }}>
      <Box sx={{ fontSize: 12, fontWeight: 550, color: 'text.secondary' }}>{name}</Box>
      <CopyText text={text} label={name} />
    </Box>
  );
}

/** Shortcuts within the key layer of the dialog. */
function Shortcuts({ onCopy }: { onCopy: () => void }) {
  useShortcuts(t('This link'), [{ keys: 'C', label: t('Copy link'), run: onCopy }]);
  return null;
}

/** Says whether the link is on its way, or what its message waits for. */
const SentNote = ({ sent, recipients }: { sent: Invoice; recipients: string }) => (
  <Alert severity={sent.delivery?.status === 'waiting' ? 'warning' : 'success'} sx={{ py: 0 }}>
    {sentText(sent, recipients)}
  </Alert>
);

function SendTextForm({ invoiceId }: { invoiceId: string }) {
  const [phone, setPhone] = useState('');
  const sendingText = useSubmit({
    send: (body: SendRequest) => sendInvoice(invoiceId, body),
    refresh: refreshInvoices,
    announcement: (sent) => sentText(sent, phone.trim()),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (phone.trim() !== '') sendingText.onSubmit({ sendVia: ['sms'], phone: phoneDigits(phone) });
  };
  const refusal = sendingText.failure?.field === 'phone' ? sendingText.failure.message : undefined;
  return (
    <Box component="form" noValidate onSubmit={submit} sx={{ display: 'grid', gap: 2 }}>
      <Box sx={{ display: 'flex', gap: 2, alignItems: 'flex-start' }}>
        <TextField
          id="link-phone"
          label={t('Phone')}
          placeholder="+12075550142"
          value={phone}
          onChange={({ target }) => {
            setPhone(target.value);
            sendingText.reset();
          }}
          error={refusal !== undefined}
          helperText={refusal}
          slotProps={{ htmlInput: { inputMode: 'tel', autoComplete: 'off', maxLength: 40 } }}
        />
        <Button type="submit" loading={sendingText.isBusy} sx={{ mt: 5, height: 40 }}>
          {t('Send text')}
        </Button>
      </Box>
      {sendingText.result && <SentNote sent={sendingText.result} recipients={phone.trim()} />}
      {sendingText.failure && refusal === undefined && <FailureNote failure={sendingText.failure} />}
    </Box>
  );
}
