import { isIP } from 'node:net';

/** Port of the local interface of readers. */
const PORT = 8443;
const NAME = /^(?!-)[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63})*$/;
const PARTS = /^(?:\[([0-9a-f:.]+)\]|([^:[\]/]+))(?::(\d{1,5}))?$/;
const LOOPBACK_NAME = /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/;

/** Address of a reader in the local network. */
export interface ReaderAddress {
  readonly host: string;
  readonly port: number;
  /** True for an address of this computer, as a simulator has it. */
  readonly isLoopback: boolean;
  /** Usual form of the address. */
  readonly text: string;
}

/** Parses an address such as `192.168.1.50`, `[fd00::12]` or `reader.shop.lan`, with an optional port. Undefined if it is none. */
export function parseAddress(text: string): ReaderAddress | undefined {
  const [, bracketed, plain, port] = PARTS.exec(text.trim().toLowerCase()) ?? [];
  const host = bracketed ?? plain ?? '';
  const isAddress = bracketed === undefined ? isIP(host) === 4 || (isIP(host) === 0 && NAME.test(host)) : isIP(host) === 6;
  const number = port === undefined ? PORT : Number(port);
  if (!isAddress || number < 1 || number > 65_535) return undefined;
  const shown = bracketed === undefined ? host : `[${host}]`;
  return { host, port: number, isLoopback: LOOPBACK_NAME.test(host), text: number === PORT ? shown : `${shown}:${number}` };
}

/**
 * Returns why a reader must not be at an address; null if it may. Only the port of the interface is used in the local network, so that an address cannot be
 * used to look for other services there. A simulator has any port of this computer.
 */
export function addressFault({ port, isLoopback }: ReaderAddress, mode: 'test' | 'live'): string | null {
  if (isLoopback) return mode === 'test' ? null : 'Only a gateway in test mode can use a reader on this computer.';
  return port === PORT ? null : `A card reader in the local network has the port ${PORT}. Leave the port out.`;
}
