import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useQuery } from '@tanstack/react-query';
import type { Invoice } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { type SystemPrintJob, useDesktop } from '#renderer/desktop/bridge';
import { escapeHtml, htmlDocument } from '#renderer/desktop/print-layout';
import { CopyText, Dialog, QueryContent, showToast } from '#renderer/kit/ui';
import { saveAs } from '#renderer/session/download';
import { useMerchant } from '#renderer/session/user';
import { qrCodeQuery } from '../queries.ts';
import { moneyOf, titleOf } from '../texts.ts';

interface QrPage {
  readonly merchantName: string;
  readonly title: string;
  /** "45.00 USD". */
  readonly amount: string;
  /** PNG as a data URL. */
  readonly picture: string;
  readonly url: string;
}

const STYLE = `
@page { size: letter; margin: 0; }
html, body { margin: 0; background: #fff; color: #000; }
body { padding: 24mm; font: 12pt/1.5 system-ui, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif; text-align: center; overflow-wrap: anywhere; }
h1 { margin: 0; font-size: 20pt; line-height: 1.25; }
p { margin: 2mm 0; }
.amount { font-size: 18pt; font-weight: 600; }
img { width: 90mm; height: 90mm; margin: 8mm 0; image-rendering: pixelated; }
.url { font-size: 9pt; }
`.trim();

/** Returns a print job for the counter: merchant, amount and QR code of the pay page. */
function qrPrintJob({ merchantName, title, amount, picture, url }: QrPage): SystemPrintJob {
  const body = [
    `<h1>${escapeHtml(merchantName)}</h1><p>${escapeHtml(title)}</p><p class="amount">${escapeHtml(amount)}</p>`,
    `<img src="${escapeHtml(picture)}" alt=""><p>${t('Scan to pay')}</p><p class="url">${escapeHtml(url)}</p>`,
  ].join('');
  return { html: htmlDocument(title, STYLE, body), width: 'letter', copies: 1, silent: false };
}

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
