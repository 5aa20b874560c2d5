/** Connections to one of the PostgreSQL servers of an address; each new connection selects its server (docs/decisions/0038). */

export { InvalidAddress, parseAddress } from './address.ts';
export { connectReading, connectWritable, hostsOf, readingConfig, type ServerConfig, writableConfig } from './client.ts';
export { requireWritable } from './writable.ts';
