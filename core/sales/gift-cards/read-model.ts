import { readModel } from '#core/database';
import { GIFT_CARD_ENTRIES } from './schema.ts';

/** Columns of the changes of gift cards that reports read. */
export const READABLE_GIFT_CARD_ENTRIES = readModel(GIFT_CARD_ENTRIES, ['tenant_id', 'id', 'gift_card_id']);
