import { language, t } from '#renderer/base/language';
import type { SystemPrintJob } from '#renderer/desktop/bridge';

/** Content of a printed consent. */
interface Consent {
  readonly merchantName: string;
  readonly customerName: string;
  /** "Visa ••1111". */
  readonly method: string;
  readonly text: string;
  /** Date of the consent as display text. */
  readonly day: string;
  readonly isSandbox: boolean;
}

const STYLE = `
@page { size: letter; margin: 0; }
html, body { margin: 0; background: #fff; color: #000; }
body { padding: 18mm; font: 11pt/1.5 system-ui, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif; }
main { max-width: 150mm; overflow-wrap: anywhere; }
h1 { margin: 0; font-size: 18pt; line-height: 1.25; }
h2 { margin: 1mm 0 8mm; font-size: 12pt; font-weight: 500; }
.mark { border: 0.4mm solid #000; margin: 0 0 6mm; padding: 1mm; font-weight: 700; letter-spacing: 0.12em; text-align: center; }
dl { display: grid; grid-template-columns: 36mm 1fr; row-gap: 1.5mm; margin: 0; }
dd { margin: 0; }
blockquote { margin: 8mm 0; padding: 4mm 5mm; border: 0.25mm solid #000; white-space: pre-wrap; }
.sign { display: grid; grid-template-columns: 2fr 1fr; gap: 10mm; margin-top: 22mm; font-size: 9pt; }
.sign p { margin: 0; border-top: 0.3mm solid #000; padding-top: 1mm; }
`.trim();

/** Returns a print job with the consent of a customer and a signature line. */
export function consentPrintJob(consent: Consent): SystemPrintJob {
  const { merchantName, customerName, method, text, day, isSandbox } = consent;
  const fact = (name: string, value: string) => `<dt>${name}</dt><dd>${escaped(value)}</dd>`;
  const body = [
    isSandbox ? `<p class="mark">${t('SANDBOX')}</p>` : '',
    `<h1>${escaped(merchantName)}</h1><h2>${t('Consent to keep a card or account on file')}</h2>`,
    `<dl>${fact(t('Customer'), customerName)}${fact(t('Payment method'), method)}${fact(t('Date'), day)}</dl>`,
    `<blockquote>${escaped(text)}</blockquote>`,
    `<div class="sign"><p>${t('Signature')}</p><p>${t('Date')}</p></div>`,
  ].join('');
  const head = `<head><meta charset="utf-8"><title>${t('Consent')}</title><style>${STYLE}</style></head>`;
  const html = `<!doctype html><html lang="${language()}">${head}<body><main>${body}</main></body></html>`;
  return { html, width: 'letter', copies: 1, silent: false };
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);
}
