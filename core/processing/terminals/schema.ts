import { integer, type RowOf, table, text } from '#core/database';

/** Card readers of merchants. A removed one stays for the payments that name it. */
export const TERMINALS = table(
  'terminals',
  {
    tenant_id: text,
    id: text,
    merchant_id: text,
    /** Gateway whose account the reader is registered at. */
    gateway_id: text,
    gateway: text,
    /** The processor's ID of the reader. */
    device_id: text,
    /** Address of a reader in the local network, such as `192.168.1.50`. */
    address: text.optional,
    name: text,
    model: text,
    serial_number: text.optional,
    /** Workstation whose Sell screen uses the reader first: the name of its drawer. */
    workstation: text.optional,
    /** 1 if it asks for a tip by default; null if it does not. */
    asks_tip: integer.optional,
    connection: text.of<'online' | 'offline'>(),
    /** Time since which the connection is known to be so. */
    connection_at: text,
    created_by: text,
    created_at: text,
    updated_at: text,
    removed_at: text.optional,
  },
  {
    key: ['tenant_id', 'id'],
    indexes: [
      { name: 'terminals_by_merchant', columns: ['tenant_id', 'merchant_id', 'id'], where: 'removed_at IS NULL' },
      { name: 'terminals_by_device', columns: ['tenant_id', 'gateway_id', 'device_id'], where: 'removed_at IS NULL', unique: true },
    ],
  },
);

export type TerminalRow = RowOf<typeof TERMINALS>;
