import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { announce, CopyText, copyText, Dialog, FailureNote, KeyHint, useShortcuts } from '#renderer/ui';
import { LocalOnlyNote } from '../local-only-note.tsx';
import { type Sending, sendInvoice } from '../operations.ts';
import { invoiceQuery, qrCodeQuery, refreshInvoices } from '../queries.ts';

interface MadeLinkProps {
  readonly link: { readonly invoiceId: string; readonly url: string; readonly shortUrl: string };
  readonly onClose: () => void;
  readonly onOpen: (invoiceId: string) => void;
}

/** A link that was just made, and the ways to hand it out. */
export function MadeLink({ link, onClose, onOpen }: MadeLinkProps) {
  const { invoiceId, url, shortUrl } = link;
  const code = useQuery(qrCodeQuery(invoiceId));
  const invoice = useQuery(invoiceQuery(invoiceId));
  const copy = () => void copyText(shortUrl, 'Link');
  return (
    <Dialog
      title="The link is made"
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button variant="text" onClick={onClose}>
            Close
          </Button>
          <Button onClick={() => onOpen(invoiceId)}>Open it</Button>
          <Button variant="contained" color="primary" onClick={copy} endIcon={<KeyHint keys="C" />} aria-keyshortcuts="C" autoFocus>
            Copy link
          </Button>
        </>
      }
    >
      <Keys onCopy={copy} />
      <Box sx={{ display: 'grid', gap: 4, pt: 1 }}>
        {invoice.data?.isLocalOnly && <LocalOnlyNote />}
        <Box
          sx={{ display: 'grid', gap: 5, gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: '168px minmax(0, 1fr)' }, alignItems: 'start' }}
        >
          <Box sx={{ width: 168, height: 168, backgroundColor: '#FFFFFF', borderRadius: 1 }}>
            {code.data && (
              <Box
                component="img"
                src={code.data.qrCode}
                alt={`QR code of ${code.data.url}`}
                sx={{ width: '100%', height: '100%', imageRendering: 'pixelated' }}
              />
            )}
          </Box>
          <Box sx={{ display: 'grid', gap: 4, minWidth: 0 }}>
            <Address name="Short link" text={shortUrl} />
            <Address name="Whole link" text={url} />
            <TextForm invoiceId={invoiceId} />
          </Box>
        </Box>
      </Box>
    </Dialog>
  );
}

function Address({ name, text }: { name: string; text: string }) {
  return (
    <Box sx={{ fontSize: 13 }}>
      <Box sx={{ fontSize: 12, fontWeight: 550, color: 'text.secondary' }}>{name}</Box>
      <CopyText text={text} what={name} />
    </Box>
  );
}

/** Within the dialog's own layer of keys. */
function Keys({ onCopy }: { onCopy: () => void }) {
  useShortcuts('This link', [{ keys: 'C', label: 'Copy link', run: onCopy }]);
  return null;
}

function TextForm({ invoiceId }: { invoiceId: string }) {
  const [phone, setPhone] = useState('');
  const texting = useMutation({
    mutationFn: (body: Sending) => sendInvoice(invoiceId, body),
    onSuccess: () => {
      void refreshInvoices();
      announce(`The link goes to ${phone.trim()}.`);
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!texting.isPending && phone.trim() !== '') texting.mutate({ sendVia: ['sms'], phone: phone.replace(/[\s().-]/g, '') });
  };
  const refused = texting.error?.field === 'phone' ? texting.error.message : undefined;
  return (
    <Box component="form" noValidate onSubmit={submit} sx={{ display: 'grid', gap: 2 }}>
      <Box sx={{ display: 'flex', gap: 2, alignItems: 'flex-start' }}>
        <TextField
          id="link-phone"
          label="Text it to"
          placeholder="+12075550142"
          value={phone}
          onChange={({ target }) => {
            setPhone(target.value);
            texting.reset();
          }}
          error={refused !== undefined}
          helperText={refused}
          slotProps={{ htmlInput: { inputMode: 'tel', autoComplete: 'off', maxLength: 40 } }}
        />
        <Button type="submit" loading={texting.isPending} sx={{ mt: 5, height: 40 }}>
          Text
        </Button>
      </Box>
      {texting.isSuccess && (
        <Alert severity="success" sx={{ py: 0 }}>
          It goes to {phone.trim()}.
        </Alert>
      )}
      {texting.error && refused === undefined && <FailureNote failure={texting.error} />}
    </Box>
  );
}
