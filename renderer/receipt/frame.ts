import type { ReceiptWidth } from '#renderer/workstation';
import type { MadeReceipt } from './wanted.ts';

const MM_PER_CSS_PX = 25.4 / 96;
/** Papers whose length is the receipt's own. */
const ROLLS: Readonly<Record<ReceiptWidth, number | null>> = { '58mm': 58, '80mm': 80, letter: null };
const LETTER_MM = 215.9;
const PAGE_SIZE = /@page \{ size: \S+ \S+;/;

/**
 * Renders a receipt in a frame and returns its height in millimeters. Scripts in it never run, because it is parsed separately. The style
 * is an adopted style sheet, which the content security policy of the pages does not restrict.
 */
export function layOutReceipt(frame: HTMLIFrameElement, { html, width }: MadeReceipt): number {
  const inside = frame.contentDocument;
  // A sheet belongs to the document in whose window it was made.
  const Sheet = (frame.contentWindow as (Window & typeof globalThis) | null)?.CSSStyleSheet;
  if (!inside || !Sheet) return 0;
  const made = new DOMParser().parseFromString(html, 'text/html');
  const sheet = new Sheet();
  sheet.replaceSync([...made.querySelectorAll('style')].map(({ textContent }) => textContent).join('\n'));
  inside.adoptedStyleSheets = [sheet];
  inside.documentElement.lang = made.documentElement.lang;
  inside.title = made.title;
  inside.body.replaceChildren(...[...made.body.childNodes].map((node) => inside.importNode(node, true)));
  frame.style.width = `${ROLLS[width] ?? LETTER_MM}mm`;
  return inside.body.getBoundingClientRect().height * MM_PER_CSS_PX;
}

/** The document of a receipt with the page of a roll as long as what is on it. */
export function fittedToRoll(receipt: MadeReceipt): string {
  const widthMm = ROLLS[receipt.width];
  if (widthMm === null) return receipt.html;
  // Drivers turn a page that is wider than long.
  const heightMm = Math.max(Math.ceil(measured(receipt)), widthMm);
  return receipt.html.replace(PAGE_SIZE, `@page { size: ${widthMm}mm ${heightMm}mm;`);
}

function measured(receipt: MadeReceipt): number {
  const frame = document.createElement('iframe');
  frame.ariaHidden = 'true';
  frame.tabIndex = -1;
  frame.style.cssText = 'position:fixed;left:-10000px;top:0;height:1px;border:0';
  document.body.append(frame);
  const heightMm = layOutReceipt(frame, receipt);
  frame.remove();
  return heightMm;
}
