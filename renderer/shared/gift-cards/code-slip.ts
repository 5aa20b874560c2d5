import { t } from '#renderer/base/language';
import type { ReceiptWidth } from '#renderer/base/workstation';
import type { PrintLine } from '#renderer/desktop/bridge';
import { escapeHtml, htmlDocument } from '#renderer/desktop/print-layout';
import { datedDay } from '#renderer/kit/ui';

/** A gift card to print. */
interface Slip {
  readonly merchantName: string;
  /** "50.00 USD". */
  readonly amount: string;
  readonly code: string;
  /** QR code of the code, as SVG. */
  readonly picture: string;
  /** Last day on which it pays; null for never. */
  readonly expiresOn: string | null;
}

const WIDTH_MM: Readonly<Record<ReceiptWidth, number>> = { '58mm': 58, '80mm': 80, letter: 215.9 };

const styleFor = (width: ReceiptWidth) =>
  `
@page { size: ${width === 'letter' ? '215.9mm 279.4mm' : `${WIDTH_MM[width]}mm 120mm`}; margin: 0; }
html, body { margin: 0; background: #fff; color: #000; }
body { padding: ${width === 'letter' ? 18 : 4}mm; font: 10pt/1.4 system-ui, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif; text-align: center; overflow-wrap: anywhere; }
h1 { margin: 0; font-size: 13pt; line-height: 1.25; }
p { margin: 2mm 0; }
.amount { font-size: 18pt; font-weight: 600; }
svg { width: 40mm; height: 40mm; }
.code { font: 700 ${width === '58mm' ? 11 : 14}pt/1.3 ui-monospace, Menlo, Consolas, monospace; white-space: nowrap; }
`.trim();

/** Returns a gift card with its code for the printer of this workstation. The picture is not escaped, so it must be made here. */
export function codeSlip({ merchantName, amount, code, picture, expiresOn }: Slip, width: ReceiptWidth) {
  const title = t('Gift card');
  const expiry = expiresOn === null ? null : t('Expires on {{day}}.', { day: datedDay(expiresOn) });
  const note = t('Keep this code like cash. Every holder of the code can spend the card.');
  const body = [
    `<h1>${escapeHtml(merchantName)}</h1><p>${title}</p><p class="amount">${escapeHtml(amount)}</p>`,
    `${picture}<p class="code">${escapeHtml(code)}</p>${expiry === null ? '' : `<p>${escapeHtml(expiry)}</p>`}<p>${note}</p>`,
  ].join('');
  const lines = (columns: number): PrintLine[] => {
    const centered = (text: string) => ' '.repeat(Math.max(0, Math.floor((columns - text.length) / 2))) + text.slice(0, columns);
    const bold = (text: string) => ({ text: centered(text), isBold: true });
    const normal = (text: string) => ({ text: centered(text), isBold: false });
    return [
      bold(merchantName),
      normal(title),
      bold(amount),
      normal(''),
      bold(code),
      normal(''),
      ...(expiry === null ? [] : [normal(expiry)]),
      ...wrapped(note, columns).map(normal),
    ];
  };
  return { title, html: htmlDocument(title, styleFor(width), body), width, lines, qr: code };
}

/** Divides a text into lines that are not wider than the paper. */
function wrapped(text: string, columns: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= columns) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
