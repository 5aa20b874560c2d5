import { amount, count, currencyCode, flag, id, list, literals, nullable, type RecordOf, record, text, time } from '#core/platform/fields';
import { columnMapping } from '#core/platform/imports';
import { GIFT_CARD_ENTRY_KINDS, GIFT_CARD_KINDS, GIFT_CARD_STATUSES } from './schema.ts';

/** A gift card, or the store credit of a customer. */
export const GiftCard = record('GiftCard', {
  giftCardId: id('gcd', 'ID of the gift card'),
  merchantId: id('mer', 'ID of the merchant, which alone accepts the card'),
  kind: literals(GIFT_CARD_KINDS, '`store_credit` belongs to a customer and has no code'),
  status: literals(
    GIFT_CARD_STATUSES,
    '`pending` until the order that sells it is paid; `expired`: the merchant has kept its balance; `replaced`: its balance is on another card; `canceled`: the order was canceled, or the customer of the store credit was deleted',
  ),
  balance: amount('Balance', 50),
  currency: currencyCode(),
  lastCharacters: nullable(text('Last characters of the code; null for store credit', '7K2M')),
  customerId: nullable(id('cus', 'Customer to whom store credit belongs, or whom a gift card names; null for none')),
  replacedBy: nullable(text('Card to which the balance was moved', null)),
  blockReason: nullable(text('Reason for which the card is blocked', null)),
  expiresOn: nullable(text('Last day on which the card pays, in the time zone of the merchant; null for never', null)),
  expiredAmount: amount('Expired balance that was not reinstated', 0),
  createdBy: text('Name of the creator', 'admin@demo.example'),
  createdAt: time('Time of creation'),
  updatedAt: time('Time of the last change'),
});
export type GiftCard = RecordOf<typeof GiftCard>;

/** A gift card of the list, with the name of its customer. */
export const ListedGiftCard = record('ListedGiftCard', {
  ...GiftCard.properties,
  customerName: nullable(text('Name of the customer; null for none, and for callers without `customers:read`', 'Ada Marlow')),
});
export type ListedGiftCard = RecordOf<typeof ListedGiftCard>;

/** A new gift card with its code, which no later response contains. */
export const IssuedGiftCard = record('IssuedGiftCard', {
  ...GiftCard.properties,
  code: nullable(text('Code of the card, shown only here; null if the request named it, and for store credit', 'X4TN-81QB-0KDW-7K2M')),
});
export type IssuedGiftCard = RecordOf<typeof IssuedGiftCard>;

const GiftCardEntry = record('GiftCardEntry', {
  entryId: text('ID of the change', 'gce_00000000000000000000000000'),
  kind: literals(GIFT_CARD_ENTRY_KINDS, 'Kind of the change'),
  amount: amount('Change of the balance; below 0 if it lowers it', -12.5),
  balance: amount('Balance after the change', 37.5),
  subjectId: nullable(
    text('Order, tender, refund or other card that caused the change; null for a gift', 'tnd_00000000000000000000000000'),
  ),
  reason: nullable(text('Reason', null)),
  createdBy: text('Name of the creator', 'admin@demo.example'),
  approvedBy: nullable(text('Person who approved it; null if it needed no approval', null)),
  createdAt: time('Time of the change'),
});

export const GiftCardDetail = record('GiftCardDetail', {
  ...GiftCard.properties,
  entries: list(GiftCardEntry, 'Changes of the balance, oldest first'),
});
export type GiftCardDetail = RecordOf<typeof GiftCardDetail>;

/** Balance of a card that a holder shows. */
export const GiftCardBalance = record('GiftCardBalance', {
  giftCardId: GiftCard.properties.giftCardId,
  merchantId: GiftCard.properties.merchantId,
  status: GiftCard.properties.status,
  balance: GiftCard.properties.balance,
  currency: GiftCard.properties.currency,
  lastCharacters: GiftCard.properties.lastCharacters,
  expiresOn: GiftCard.properties.expiresOn,
});
export type GiftCardBalance = RecordOf<typeof GiftCardBalance>;

/** A gift card that an order sells. */
export const OrderGiftCard = record('OrderGiftCard', {
  giftCardId: GiftCard.properties.giftCardId,
  lastCharacters: GiftCard.properties.lastCharacters,
  amount: amount('Amount that the order puts on the card', 50),
  loadedAmount: amount('Part of it that is on the card: 0 until the order is paid, and less after refunds', 0),
});
export type OrderGiftCard = RecordOf<typeof OrderGiftCard>;

const GiftCardImportLine = record('GiftCardImportLine', {
  line: count('Line of the file', 2),
  lastCharacters: nullable(text('Last characters of the code', '7K2M')),
  balance: nullable(amount('Balance', 25)),
  result: literals(['created', 'unchanged', 'skipped', 'error'], '`unchanged`: the code is in use; `skipped`: no balance'),
  reason: nullable(text('Reason', null)),
});
export type GiftCardImportLine = RecordOf<typeof GiftCardImportLine>;

/** Columns of a file of balances. */
export const IMPORT_COLUMNS = ['code', 'balance', 'pin'] as const;
/** Columns of a file of balances by field. */
export const GiftCardMapping = columnMapping(IMPORT_COLUMNS, ['code', 'balance']);
export type GiftCardMapping = RecordOf<typeof GiftCardMapping>;

/** Result of an import of balances. */
export const GiftCardImport = record('GiftCardImport', {
  stored: flag('False after a dry run, and if a line has an error: then nothing was stored', true),
  mapping: GiftCardMapping,
  amount: amount('Sum of the new cards', 25),
  currency: currencyCode(),
  created: count('Number of new cards', 1),
  unchanged: count('Number of codes that are in use', 0),
  skipped: count('Number of lines without a balance', 0),
  failed: count('Number of lines with an error', 0),
  lines: list(GiftCardImportLine, 'Result of each line, in the order of the file'),
});
export type GiftCardImport = RecordOf<typeof GiftCardImport>;
