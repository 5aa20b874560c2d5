import type { TransactionRow } from '../schema.ts';

/** Returns true for a payment on a page of the processor. Its card is not stored, and no card reader read it. */
export const isOnHostedPage = ({ type, token, terminal_id: terminalId }: TransactionRow): boolean =>
  type === 'sale' && token === '' && terminalId === null;
