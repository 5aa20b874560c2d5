import { ServiceError } from '#core/kernel';
import type { TerminalUse } from './dependencies.ts';
import type { Terminal } from './records.ts';
import type { TerminalRow } from './schema.ts';

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
