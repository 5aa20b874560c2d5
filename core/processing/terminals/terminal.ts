import { ServiceError } from '#core/kernel';
import { flag, group, id, literals, nullable, type RecordOf, record, text, time } from '#core/platform/fields';
import { TERMINAL_STATES } from '#shared/terminals';
import type { TerminalUse } from './dependencies.ts';
import type { TerminalRow } from './schema.ts';

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

export function toTerminal(row: TerminalRow, use: TerminalUse | undefined): Terminal {
  return {
    terminalId: row.id,
    merchantId: row.merchant_id,
    gatewayId: row.gateway_id,
    gateway: row.gateway,
    name: row.name,
    model: row.model,
    serialNumber: row.serial_number,
    address: row.address,
    workstation: row.workstation,
    asksTip: row.asks_tip === 1,
    state: row.connection === 'offline' ? 'offline' : use ? 'busy' : 'online',
    connectionAt: row.connection_at,
    payment: use?.transactionId === undefined ? null : { transactionId: use.transactionId, usedBy: use.usedBy },
    cardSave: use?.cardSaveId === undefined ? null : { cardSaveId: use.cardSaveId, usedBy: use.usedBy },
    createdBy: row.created_by,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

export const noTerminal = (terminalId: string, field?: string) =>
  new ServiceError('NOT_FOUND', `There is no card reader ${terminalId.slice(0, 60)}.`, {
    details: { terminalId: terminalId.slice(0, 60) },
    ...(field && { field }),
  });

/** Checks that the reader belongs to the merchant of the payment. @throws ServiceError VALIDATION_ERROR. */
export function checkTerminalMerchant(terminal: Pick<TerminalRow, 'merchant_id'> | null, merchantId: string): void {
  if (terminal === null || terminal.merchant_id === merchantId) return;
  throw new ServiceError('VALIDATION_ERROR', 'This card reader belongs to another merchant.', { field: 'terminalId' });
}

/** Returns the error of an operation on a card reader that is in use. */
export const terminalBusy = ({ name }: Pick<TerminalRow, 'name'>, use: TerminalUse) =>
  new ServiceError('RESOURCE_CONFLICT', `${name} is in use by ${use.usedBy}. Wait until that payment ends, or cancel it.`, {
    details: { reason: 'terminal_busy', ...use },
  });
