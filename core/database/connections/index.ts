/** Connections to the PostgreSQL servers of an address. Each new connection selects its server (docs/decisions/0038). */

export { parseAddress } from './address.ts';
export { connectReading, connectWritable, hostsOf, readingConfig, type ServerConfig, writableConfig } from './client.ts';
export { InvalidAddress } from './invalid-address.ts';
export { requireWritable, TIMELINE_SQL } from './writable.ts';
