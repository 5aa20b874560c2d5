import { amount, common, commonOrNull, event, object, orNull, SAMPLE_AMOUNT, text, titled } from './event-schemas.ts';

const giftCard = titled(
  'GiftCardEventData',
  object({
    giftCardId: text('ID of the gift card'),
    kind: text('Kind: gift_card or store_credit'),
    status: text('Status: pending, active, blocked, replaced, expired or canceled'),
    lastCharacters: orNull(text('Last characters of the code of the gift card')),
    changeAmount: amount('Amount that was put on the card, or taken off it if negative'),
    balance: amount('Balance after the change'),
    ...common('currency'),
    ...commonOrNull('customerId'),
    expiresOn: orNull(text('Last day on which the gift card pays; null for never')),
  }),
);

const giftCardEvent = (status: string, changeAmount: number, balance: number) =>
  event('Gift cards', giftCard, () => ({
    giftCardId: 'gcd_00000000000000000000000000',
    kind: 'gift_card',
    status,
    lastCharacters: '7K2M',
    changeAmount,
    balance,
    currency: 'USD',
    customerId: null,
    expiresOn: null,
  }));

/** Events about gift cards and store credit. */
export const GIFT_CARD_EVENTS = {
  'gift_card.issued': giftCardEvent('active', SAMPLE_AMOUNT, SAMPLE_AMOUNT),
  'gift_card.loaded': giftCardEvent('active', 20, 40),
  'gift_card.reduced': giftCardEvent('active', -20, 20),
  'gift_card.redeemed': giftCardEvent('active', -20, 20),
  'gift_card.refunded': giftCardEvent('active', 20, 40),
  'gift_card.blocked': giftCardEvent('blocked', 0, 40),
  'gift_card.unblocked': giftCardEvent('active', 0, 40),
  'gift_card.replaced': giftCardEvent('replaced', -40, 0),
  'gift_card.assigned': giftCardEvent('active', 0, 40),
  'gift_card.expired': giftCardEvent('expired', -40, 0),
  'gift_card.extended': giftCardEvent('active', 0, 40),
  'gift_card.reinstated': giftCardEvent('active', 40, 40),
  'gift_card.canceled': giftCardEvent('canceled', 0, 0),
};
