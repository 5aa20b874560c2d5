import { id, literals, nullable, type RecordOf, record, text, time } from '#core/platform/fields';
import { CANCELERS, CARD_SAVE_STATES } from '#shared/terminals';
import type { CardSaveRow } from './schema.ts';

/** A request to store the card that a customer presents to a card reader, in the form of the API. */
export const CardSave = record('CardSave', {
  cardSaveId: id('csv', 'ID of the request'),
  merchantId: id('mer', 'ID of the merchant'),
  customerId: id('cus', 'Customer for whom the card is stored'),
  terminalId: id('trm', 'ID of the card reader'),
  terminalName: text('Name of the card reader', 'Counter 1'),
  status: literals(CARD_SAVE_STATES, 'Status; `unconfirmed` while the reader does not answer. Nothing is charged in any of them'),
  canceledBy: nullable(literals(CANCELERS, 'Who ended the dialog; null unless it was canceled', null)),
  reason: nullable(text('Reason for which the card was not stored, as a sentence', null)),
  paymentMethodId: nullable(id('pm', 'Stored payment method; null before the end')),
  brand: nullable(text('Brand of the card that was read', 'visa')),
  last4: nullable(text('Last four digits of the card that was read', '1111')),
  createdBy: text('Person or API key that made the request', 'cashier@shop.example'),
  createdAt: time('Time of the request'),
  updatedAt: time('Time of the last change'),
});
export type CardSave = RecordOf<typeof CardSave>;

export const toCardSave = (row: CardSaveRow): CardSave => ({
  cardSaveId: row.id,
  merchantId: row.merchant_id,
  customerId: row.customer_id,
  terminalId: row.terminal_id,
  terminalName: row.terminal_name,
  status: row.state,
  canceledBy: row.canceled_by,
  reason: row.reason,
  paymentMethodId: row.payment_method_id,
  brand: row.brand,
  last4: row.last4,
  createdBy: row.created_by,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

/** Returns true for a request whose outcome is not known yet. */
export const isOpen = ({ status }: Pick<CardSave, 'status'>): boolean =>
  status === 'starting' || status === 'waiting_for_card' || status === 'processing' || status === 'unconfirmed';
