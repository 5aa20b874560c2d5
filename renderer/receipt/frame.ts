import type { ReceiptWidth } from '#renderer/workstation';
import type { ReceiptContent } from './content.ts';
import { paperWidthMm, receiptBody, receiptStyle } from './html.ts';

const MM_PER_CSS_PX = 25.4 / 96;

/**
 * Lays a receipt out in a frame of ours and answers its height in millimetres. The style goes in by script, since the
 * pages' content security policy lets no inline style in.
 */
export function layOutReceipt(frame: HTMLIFrameElement, content: ReceiptContent, width: ReceiptWidth): number {
  const inside = frame.contentDocument;
  // A sheet belongs to the document in whose window it was made.
  const Sheet = (frame.contentWindow as (Window & typeof globalThis) | null)?.CSSStyleSheet;
  if (!inside || !Sheet) return 0;
  const sheet = new Sheet();
  sheet.replaceSync(receiptStyle(width));
  inside.adoptedStyleSheets = [sheet];
  inside.documentElement.lang = 'en';
  inside.title = 'Receipt';
  inside.body.innerHTML = receiptBody(content);
  frame.style.width = `${paperWidthMm(width)}mm`;
  return inside.body.getBoundingClientRect().height * MM_PER_CSS_PX;
}

/** How long a receipt gets on the paper, in millimetres. */
export function measureReceipt(content: ReceiptContent, width: ReceiptWidth): number {
  const frame = document.createElement('iframe');
  frame.ariaHidden = 'true';
  frame.tabIndex = -1;
  frame.style.cssText = 'position:fixed;left:-10000px;top:0;height:1px;border:0';
  document.body.append(frame);
  const heightMm = layOutReceipt(frame, content, width);
  frame.remove();
  return heightMm;
}
