import { flag, group, id, literals, nullable, type RecordOf, record, text, time } from '#core/platform/fields';
import { TERMINAL_STATES } from '#shared/terminals';

/** A card reader in the form of the API. */
export const Terminal = record('Terminal', {
  terminalId: id('trm', 'ID of the card reader'),
  merchantId: id('mer', 'ID of the merchant'),
  gatewayId: id('gw', 'Gateway whose account the card reader belongs to'),
  gateway: text('Name of the gateway', 'sandbox'),
  name: text('Name of the card reader', 'Counter 1'),
  model: text('Model of the card reader', 'Simulated reader'),
  serialNumber: nullable(text('Serial number of the card reader', 'SIM-482913')),
  address: nullable(text('Address of a reader in the local network; null for a reader that its processor reaches', null)),
  workstation: nullable(text('Workstation whose Sell screen uses the reader first: the name of its drawer', 'Drawer 1')),
  asksTip: flag('True if it asks for a tip, unless a payment says otherwise', false),
  state: literals(TERMINAL_STATES, 'State; `busy` while a payment runs on it, or it stores a card'),
  connectionAt: time('Time since which the reader is known to be connected or offline'),
  payment: nullable(
    group('Payment that runs on the reader; null if none does', {
      transactionId: id('txn', 'ID of the transaction'),
      usedBy: text('Person or API key that made the payment', 'cashier@shop.example'),
    }),
  ),
  cardSave: nullable(
    group('Request to store a card that runs on the reader; null if none does', {
      cardSaveId: id('csv', 'ID of the request'),
      usedBy: text('Person or API key that made the request', 'cashier@shop.example'),
    }),
  ),
  createdBy: text('Person or API key that paired it', 'manager@shop.example'),
  createdAt: time('Time of the pairing'),
  updatedAt: time('Time of the last change'),
});
export type Terminal = RecordOf<typeof Terminal>;
