import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useQuery } from '@tanstack/react-query';
import type { Invoice } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { useDesktop } from '#renderer/desktop/bridge';
import { CopyText, Dialog, QueryContent, showToast } from '#renderer/kit/ui';
import { saveAs } from '#renderer/session/download';
import { useMerchant } from '#renderer/session/user';
import { qrCodeQuery } from '../queries.ts';
import { moneyOf, titleOf } from '../texts.ts';
import { qrPrintJob } from './qr-print-layout.ts';

/** QR code of the pay page, to show, save or print. */
export function QrDialog({ invoice, onClose }: { invoice: Invoice; onClose: () => void }) {
  const { name: merchantName } = useMerchant();
  const { printReceipt } = useDesktop();
  const code = useQuery(qrCodeQuery(invoice.invoiceId));
  const picture = code.data?.qrCode;
  const print = async () => {
    if (picture === undefined) return;
    const outcome = await printReceipt(
      qrPrintJob({
        merchantName,
        title: titleOf(invoice),
        amount: moneyOf(invoice.amountDue, invoice),
        picture,
        url: invoice.shortUrl ?? invoice.url,
      }),
    );
    showToast(
      outcome.sent ? t('QR code sent to the printer') : t('The QR code was not printed. {{problem}}', { problem: outcome.problem ?? '' }),
    );
  };
  const save = async () => {
    if (picture !== undefined) saveAs(bytesOf(picture), `${invoice.number}-qr.png`);
  };
  return (
    <Dialog
      title={t('Pay {{invoice}}', { invoice: titleOf(invoice) })}
      isOpen
      onClose={onClose}
      maxWidth="xs"
      actions={
        <>
          <Button variant="text" onClick={onClose}>
            {t('Close')}
          </Button>
          <Button onClick={() => void save()} disabled={picture === undefined}>
            {t('Save PNG')}
          </Button>
          <Button variant="contained" color="primary" onClick={() => void print()} disabled={picture === undefined} autoFocus>
            {t('Print')}
          </Button>
        </>
      }
    >
      <QueryContent query={code} skeleton={<Box sx={{ height: 240 }} />}>
        {({ url, qrCode }) => (
          <Box sx={{ display: 'grid', justifyItems: 'center', gap: 3, pt: 1 }}>
            <Box
              component="img"
              src={qrCode}
              alt={t('QR code for {{url}}', { url })}
              sx={{
                width: 'min(240px, 42vh)',
                aspectRatio: '1',
                p: 0,
                backgroundColor: '#FFFFFF',
                borderRadius: 1,
                imageRendering: 'pixelated',
              }}
            />
            <Box sx={{ fontWeight: 600 }}>{t('{{amount}} due', { amount: moneyOf(invoice.amountDue, invoice) })}</Box>
            <Box sx={{ fontSize: 12, maxWidth: '100%' }}>
              <CopyText text={invoice.shortUrl ?? url} label={t('Link')} />
            </Box>
          </Box>
        )}
      </QueryContent>
    </Dialog>
  );
}

/** Returns the bytes of an image that is a data URL. */
function bytesOf(dataUrl: string): Blob {
  const bytes = Uint8Array.from(atob(dataUrl.slice(dataUrl.indexOf(',') + 1)), (character) => character.charCodeAt(0));
  return new Blob([bytes], { type: 'image/png' });
}
