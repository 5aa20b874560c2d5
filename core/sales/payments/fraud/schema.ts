import { integer, type RowOf, table, text } from '#core/database';

/** A use of a card, for rules that count uses. Written only if the merchant has such a rule. */
export const CARD_USES = table(
  'card_uses',
  {
    tenant_id: text,
    /** The transaction. */
    id: text,
    merchant_id: text,
    fingerprint: text,
    amount_minor: integer,
    currency: text,
    /** The tenant's time. */
    at_ms: integer,
  },
  {
    key: ['tenant_id', 'id'],
    indexes: [
      { name: 'card_uses_by_card', columns: ['tenant_id', 'merchant_id', 'fingerprint', 'at_ms'] },
      { name: 'card_uses_by_time', columns: ['tenant_id', 'at_ms'] },
    ],
  },
);

export type CardUseRow = RowOf<typeof CARD_USES>;
