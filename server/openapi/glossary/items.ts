import { type Glossary, id } from './entry.ts';

/** Fields of items. */
export const ITEMS: Glossary = {
  itemId: id('itm', 'item'),
  'Item.name': ['Name on the button and on receipts', 'Flat white'],
  'Item.kind': ['`item`, or `amount` for a quick amount without a tax or a barcode'],
  key: ['Short code that is typed at the terminal, in capitals; null for none', 'FW'],
  barcode: ['Barcode, as a scanner types it; null for none', '4006381333931'],
  taxIncluded: ['true if the price includes the tax; otherwise the tax is added', false],
  'Item.status': ['`archived` items are not offered at the terminal'],
  position: ['Order of the buttons', 1],
};
