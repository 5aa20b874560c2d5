import { readModel } from '#core/database';
import { GIFT_CARD_ENTRIES, GIFT_CARD_LOADS } from './schema.ts';

/** Columns of the changes of gift cards that reports read. */
export const READABLE_GIFT_CARD_ENTRIES = readModel(GIFT_CARD_ENTRIES, ['tenant_id', 'id', 'gift_card_id']);

/** Columns of the gift cards of orders that reports read. */
export const READABLE_GIFT_CARD_LOADS = readModel(GIFT_CARD_LOADS, ['tenant_id', 'order_id', 'amount_minor', 'loaded_minor']);
