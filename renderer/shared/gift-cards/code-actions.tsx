import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import { useMutation } from '@tanstack/react-query';
import { Mail, Printer } from 'lucide-react';
import { useState } from 'react';
import { api, takeData } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { useDesktop } from '#renderer/desktop/bridge';
import { FailureNote, FormDialog, useSubmit } from '#renderer/kit/ui';
import { useMerchant } from '#renderer/session/user';
import { printDocument, useReceiptWidth } from '#renderer/shared/receipt';
import { codeSlip } from './code-slip.ts';
import { findGiftCard } from './queries.ts';

const EMAIL_MAX = 254;

interface CodeActionsProps {
  readonly code: string;
  /** "50.00 USD". */
  readonly amount: string;
  /** Address that is proposed. */
  readonly email?: string;
}

/** Prints a new gift card, or sends its code by email. */
export function CodeActions({ code, amount, email = '' }: CodeActionsProps) {
  const print = usePrintCode();
  const printing = useMutation({ mutationFn: print });
  const [isEmailing, setEmailing] = useState(false);
  return (
    <>
      <Button color="inherit" size="small" startIcon={<Printer size={16} aria-hidden />} onClick={() => printing.mutate({ code, amount })}>
        {t('Print gift card')}
      </Button>
      <Button color="inherit" size="small" startIcon={<Mail size={16} aria-hidden />} onClick={() => setEmailing(true)}>
        {t('Email gift card')}
      </Button>
      {printing.error && <FailureNote failure={printing.error} />}
      {isEmailing && <EmailDialog code={code} proposed={email} onClose={() => setEmailing(false)} />}
    </>
  );
}

function EmailDialog({ code, proposed, onClose }: { code: string; proposed: string; onClose: () => void }) {
  const { merchantId } = useMerchant();
  const [email, setEmail] = useState(proposed);
  const to = email.trim();
  const sending = useSubmit({
    send: () => takeData(api.POST('/api/v1/gift-cards/email', { body: { code, email: to, merchantId } })),
    toast: t('Gift card sent to {{email}}', { email: to }),
    onClose,
  });
  const isAtField = sending.failure?.field === 'email';
  return (
    <FormDialog
      {...sending}
      title={t('Email gift card')}
      submitLabel={t('Send')}
      isDisabled={to === ''}
      failure={isAtField ? null : sending.failure}
      maxWidth="xs"
    >
      <TextField
        label={t('Email')}
        type="email"
        value={email}
        autoFocus
        onChange={({ target }) => setEmail(target.value)}
        onFocus={({ target }) => target.select()}
        error={isAtField}
        helperText={isAtField ? sending.failure?.message : t('Check the address: the code is sent once, and can’t be sent again.')}
        slotProps={{ htmlInput: { maxLength: EMAIL_MAX, autoComplete: 'off', spellCheck: false } }}
        sx={{ mt: 1 }}
        fullWidth
      />
    </FormDialog>
  );
}

/** Returns the function that prints a new gift card with its code and its QR code on the printer of this workstation. */
function usePrintCode(): (card: { readonly code: string; readonly amount: string }) => Promise<void> {
  const merchant = useMerchant();
  const desktop = useDesktop();
  const width = useReceiptWidth(merchant);
  return async (card) => {
    // Most pages print no gift card.
    const qrCode = await import('qrcode');
    // A replaced card keeps the last day of the former one, whatever the settings are now.
    const { expiresOn } = await findGiftCard(merchant.merchantId, { code: card.code, pin: '' });
    const picture = await qrCode.toString(card.code, { type: 'svg', errorCorrectionLevel: 'M', margin: 4 });
    await printDocument(codeSlip({ merchantName: merchant.name, picture, expiresOn, ...card }, width), desktop);
  };
}
