import type { PrintJob } from '#renderer/desktop';
import { escaped, paperOf } from '#renderer/paper';
import type { ReceiptWidth } from '#renderer/workstation';

/** What is printed of money that was handed over. */
export interface CashReceipt {
  readonly merchantName: string;
  /** Town and state, and the head that the merchant set. */
  readonly under: readonly string[];
  readonly invoiceNumber: string;
  readonly payer: string;
  /** "Cash", "Check 1042". */
  readonly means: string;
  readonly amount: string;
  readonly left: string;
  readonly time: string;
  readonly isSandbox: boolean;
}

const WIDTH_MM: Readonly<Record<ReceiptWidth, number>> = { '58mm': 58, '80mm': 80, letter: 215.9 };
const ROLL_MM = 110;

const styleFor = (width: ReceiptWidth) =>
  `
@page { size: ${width === 'letter' ? 'letter' : `${WIDTH_MM[width]}mm ${ROLL_MM}mm`}; margin: 0; }
html, body { margin: 0; background: #fff; color: #000; }
body { padding: ${width === 'letter' ? 18 : 4}mm; font: ${width === '58mm' ? 8.5 : 9.5}pt/1.4 system-ui, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif; }
main { max-width: 96mm; margin: 0 auto; overflow-wrap: anywhere; }
header { text-align: center; }
h1 { margin: 0; font-size: 1.3em; line-height: 1.25; }
h2 { margin: 2mm 0; font-size: 1em; text-align: center; }
p { margin: 0; }
.mark { border: 0.4mm solid #000; margin: 0 0 1.5mm; padding: 0.6mm; font-weight: 700; letter-spacing: 0.12em; text-align: center; }
dl { margin: 2mm 0; }
dl div { display: flex; justify-content: space-between; column-gap: 3mm; }
dd { margin: 0; text-align: right; font-variant-numeric: tabular-nums; }
.total { font-size: 1.25em; font-weight: 700; }
footer { text-align: center; font-size: 0.9em; }
`.trim();

/** A receipt for money that no processor took: cash, or a check. */
export function cashPaper(receipt: CashReceipt, width: ReceiptWidth): Pick<PrintJob, 'html' | 'width'> {
  const { merchantName, under, invoiceNumber, payer, means, amount, left, time, isSandbox } = receipt;
  const fact = (name: string, value: string, kind = '') => `<div class="${kind}"><dt>${name}</dt><dd>${escaped(value)}</dd></div>`;
  const body = [
    '<main>',
    isSandbox ? '<p class="mark">SANDBOX</p>' : '',
    `<header><h1>${escaped(merchantName)}</h1>${under.map((line) => `<p>${escaped(line)}</p>`).join('')}</header><h2>Payment received</h2>`,
    `<dl>${fact('Date', time)}${fact('Invoice', invoiceNumber)}${fact('From', payer)}${fact('Paid by', means)}${fact('Paid', amount, 'total')}${fact('Left to pay', left)}</dl>`,
    '<footer>Please keep it for your records.</footer></main>',
  ].join('');
  return { html: paperOf('Receipt', styleFor(width), body), width };
}
