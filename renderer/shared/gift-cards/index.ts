export { CodeActions } from './code-actions.tsx';
export { CodeNote } from './code-note.tsx';
export { type GiftCardFigureList, GiftCardFigures, useGiftCardFigures } from './gift-card-figures.tsx';
export { GiftForm, type Given } from './gift-form.tsx';
export {
  codeBody,
  customerGiftCardsQuery,
  findGiftCard,
  giftCardQuery,
  giftCardReportQuery,
  giveGiftCard,
  hasGiftCardsQuery,
  refreshGiftCards,
} from './queries.ts';
export { StoreCreditRefund } from './store-credit-refund.tsx';
export { cardName, entryText } from './texts.ts';
