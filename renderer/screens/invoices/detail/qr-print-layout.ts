import { t } from '#renderer/base/language';
import type { SystemPrintJob } from '#renderer/desktop/bridge';
import { escapeHtml, htmlDocument } from '#renderer/desktop/print-layout';

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
export function qrPrintJob({ merchantName, title, amount, picture, url }: QrPage): SystemPrintJob {
  const body = [
    `<h1>${escapeHtml(merchantName)}</h1><p>${escapeHtml(title)}</p><p class="amount">${escapeHtml(amount)}</p>`,
    `<img src="${escapeHtml(picture)}" alt=""><p>${t('Scan to pay')}</p><p class="url">${escapeHtml(url)}</p>`,
  ].join('');
  return { html: htmlDocument(title, STYLE, body), width: 'letter', copies: 1, silent: false };
}
