export const RECEIPT_WIDTHS = ['58mm', '80mm', 'letter'] as const;
export type ReceiptWidth = (typeof RECEIPT_WIDTHS)[number];

/** Paper sizes in millimeters. A roll has no height: it is cut at the end of the receipt. */
export const PAPER: Readonly<
  Record<ReceiptWidth, { readonly widthMm: number; readonly heightMm: number | null; readonly marginMm: number; readonly columns: number }>
> = {
  '58mm': { widthMm: 58, heightMm: null, marginMm: 3, columns: 32 },
  '80mm': { widthMm: 80, heightMm: null, marginMm: 4, columns: 48 },
  // Text on letter paper has the line length of the wide roll.
  letter: { widthMm: 215.9, heightMm: 279.4, marginMm: 18, columns: 48 },
};
