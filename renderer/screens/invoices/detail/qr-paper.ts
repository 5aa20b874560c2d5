import type { PrintJob } from '#renderer/desktop';
import { escaped, paperOf } from '#renderer/paper';

interface QrPaper {
  readonly merchantName: string;
  readonly title: string;
  /** "45.00 USD". */
  readonly amount: string;
  /** PNG as a data address. */
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

/** A sheet to put on a counter: whose it is, what is asked for, and the code that leads there. */
export function qrPaper({ merchantName, title, amount, picture, url }: QrPaper): PrintJob {
  const body = [
    `<h1>${escaped(merchantName)}</h1><p>${escaped(title)}</p><p class="amount">${escaped(amount)}</p>`,
    `<img src="${escaped(picture)}" alt=""><p>Scan to pay</p><p class="url">${escaped(url)}</p>`,
  ].join('');
  return { html: paperOf(title, STYLE, body), width: 'letter', copies: 1, silent: false };
}
