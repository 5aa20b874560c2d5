import { table } from '#core/database';

/** A payment as the rules that count uses of a card remember it; written only where a merchant has such a rule. */
export interface CardUseRow {
  tenant_id: string;
  /** The transaction. */
  id: string;
  merchant_id: string;
  fingerprint: string;
  amount_minor: number;
  currency: string;
  /** The tenant's time. */
  at_ms: number;
}

export const CARD_USES = table<CardUseRow>(
  'card_uses',
  {
    tenant_id: 'text',
    id: 'text',
    merchant_id: 'text',
    fingerprint: 'text',
    amount_minor: 'integer',
    currency: 'text',
    at_ms: 'integer',
  },
  {
    key: ['tenant_id', 'id'],
    indexes: [
      { name: 'card_uses_by_card', columns: ['tenant_id', 'merchant_id', 'fingerprint', 'at_ms'] },
      { name: 'card_uses_by_time', columns: ['tenant_id', 'at_ms'] },
    ],
  },
);
