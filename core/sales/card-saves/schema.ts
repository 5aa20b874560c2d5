import { dueColumns, integer, type RowOf, table, text } from '#core/database';
import type { RealTime } from '#core/kernel';
import type { Canceler, CardSaveState } from '#shared/terminals';

/** Requests to store the card that a customer presents to a card reader. Each claims its reader as a payment does, and charges nothing. */
export const CARD_SAVES = table(
  'card_saves',
  {
    tenant_id: text,
    id: text,
    merchant_id: text,
    customer_id: text,
    terminal_id: text,
    terminal_name: text,
    gateway_id: text,
    /** The processor's ID of the reader. */
    device_id: text,
    /** Reference by which inquiries find the verification at the processor. */
    processor_ref: text,
    /** The processor's ID of the dialog; null before it is known. */
    request_id: text.optional,
    currency: text,
    state: text.of<CardSaveState>(),
    canceled_by: text.of<Canceler>().optional,
    /** Reason of a decline or a failure, as a sentence. */
    reason: text.optional,
    consent_text: text,
    /** The stored payment method. */
    payment_method_id: text.optional,
    brand: text.optional,
    last4: text.optional,
    /** Real time until which it occupies its reader; null after its end. */
    until_ms: integer.of<RealTime>().optional,
    /** Real time at which it was sent, ISO 8601. */
    sent_at: text,
    created_by: text,
    /** ID of the person or API key, for the audit log. */
    credential_id: text,
    created_at: text,
    updated_at: text,
    ...dueColumns<RealTime>(),
  },
  {
    key: ['tenant_id', 'id'],
    indexes: [
      { name: 'card_saves_due', columns: ['tenant_id', 'due_ms'], where: 'due_ms IS NOT NULL' },
      { name: 'card_saves_by_reference', columns: ['tenant_id', 'processor_ref'], unique: true },
      { name: 'card_saves_on_terminals', columns: ['tenant_id', 'terminal_id'], where: 'until_ms IS NOT NULL', unique: true },
    ],
  },
);

export type CardSaveRow = RowOf<typeof CARD_SAVES>;
