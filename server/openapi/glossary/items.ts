import { type Glossary, id } from './entry.ts';

/** Fields of items. */
export const ITEMS: Glossary = {
  itemId: id('itm', 'item'),
  key: ['Short code that is typed at the terminal, in capitals; null for none', 'FW'],
  position: ['Order of the buttons', 1],
};
