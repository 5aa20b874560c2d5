import type { ReceiptWidth } from '#renderer/base/workstation';
import type { RenderedReceipt } from './receipt-request.ts';

const MM_PER_CSS_PX = 25.4 / 96;
/** Widths of paper rolls, whose page is as long as the receipt. */
const ROLL_WIDTHS_MM: Readonly<Record<ReceiptWidth, number | null>> = { '58mm': 58, '80mm': 80, letter: null };
const LETTER_MM = 215.9;
const PAGE_SIZE = /@page \{ size: \S+ \S+;/;

/**
 * Renders a receipt in a frame and returns its height in millimeters. Scripts in it never run, because it is parsed separately. The style
 * is an adopted style sheet, which the content security policy of the pages does not restrict.
 */
export function renderReceipt(frame: HTMLIFrameElement, { html, width }: RenderedReceipt): number {
  const frameDocument = frame.contentDocument;
  // A style sheet can only be adopted by documents of the window that created it.
  const Sheet = (frame.contentWindow as (Window & typeof globalThis) | null)?.CSSStyleSheet;
  if (!frameDocument || !Sheet) return 0;
  const parsed = new DOMParser().parseFromString(html, 'text/html');
  const sheet = new Sheet();
  sheet.replaceSync([...parsed.querySelectorAll('style')].map(({ textContent }) => textContent).join('\n'));
  frameDocument.adoptedStyleSheets = [sheet];
  frameDocument.documentElement.lang = parsed.documentElement.lang;
  frameDocument.title = parsed.title;
  frameDocument.body.replaceChildren(...[...parsed.body.childNodes].map((node) => frameDocument.importNode(node, true)));
  frame.style.width = `${ROLL_WIDTHS_MM[width] ?? LETTER_MM}mm`;
  return frameDocument.body.getBoundingClientRect().height * MM_PER_CSS_PX;
}

/** Returns the document of a receipt; on a roll, its page is as long as the content. */
export function fitPageToContent(receipt: RenderedReceipt): string {
  const widthMm = ROLL_WIDTHS_MM[receipt.width];
  if (widthMm === null) return receipt.html;
  // Printer drivers rotate a page that is wider than it is long.
  const heightMm = Math.max(Math.ceil(measureHeightMm(receipt)), widthMm);
  return receipt.html.replace(PAGE_SIZE, `@page { size: ${widthMm}mm ${heightMm}mm;`);
}

function measureHeightMm(receipt: RenderedReceipt): number {
  const frame = document.createElement('iframe');
  frame.ariaHidden = 'true';
  frame.tabIndex = -1;
  frame.style.cssText = 'position:fixed;left:-10000px;top:0;height:1px;border:0';
  document.body.append(frame);
  const heightMm = renderReceipt(frame, receipt);
  frame.remove();
  return heightMm;
}
