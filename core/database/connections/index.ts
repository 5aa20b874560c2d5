/** Connections to the PostgreSQL servers of an address. Each new connection selects its server (docs/decisions/0038). */

export { InvalidAddress, parseAddress } from './address.ts';
export { connectReading, connectWritable, hostsOf, readingConfig, type ServerConfig, writableConfig } from './client.ts';
export { requireWritable } from './writable.ts';
