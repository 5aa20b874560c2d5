import { connect as connectTcp } from 'node:net';
import { hostname } from 'node:os';
import { connect as connectTls } from 'node:tls';
import { createTrust } from '#core/platform/outbound';
import type { StreamedEntry } from '#core/records/audit';
import type { Place } from './place.ts';

const TIMEOUT_MS = 15_000;
const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'tls:': 6514, 'tcp:': 601 };
/** Facility "log audit" of RFC 5424. */
const FACILITY = 13;
const SEVERITY = { security: 5, other: 6 };
const HOST_MAX = 255;
const MESSAGE_ID_MAX = 32;

/**
 * Returns a collector of syslog messages (RFC 5424) by TLS or TCP, with their length before each (RFC 5425, RFC 6587). Syslog has no acknowledgement, so
 * each batch has a connection of its own: a collector that closes it in an orderly way has read everything. @param url `tls://HOST:PORT` or `tcp://HOST:PORT`.
 * @throws Error for another address.
 */
export function syslogPlace(url: string, authorities: readonly string[] = []): Place {
  const { protocol, host, port } = parseUrl(url);
  const trust = createTrust(authorities);
  const connect = () =>
    protocol === 'tls:' ? connectTls({ host, port, servername: host, secureContext: trust() }) : connectTcp({ host, port });
  return {
    kind: 'syslog',
    name: `syslog ${protocol}//${host}:${port}`,
    send: (entries) =>
      new Promise((resolve, reject) => {
        const socket = connect();
        socket.setTimeout(TIMEOUT_MS, () =>
          socket.destroy(new Error(`${host} did not take the messages within ${TIMEOUT_MS / 1_000} seconds.`)),
        );
        socket.once(protocol === 'tls:' ? 'secureConnect' : 'connect', () => socket.end(entries.map(messageOf).join('')));
        socket.once('error', reject);
        socket.once('close', () =>
          socket.writableFinished && socket.readableEnded ? resolve() : reject(new Error(`${host} closed the connection early.`)),
        );
        socket.resume();
      }),
  };
}

function parseUrl(text: string): { protocol: string; host: string; port: number } {
  const url = URL.canParse(text) ? new URL(text) : null;
  const port = url === null ? undefined : Number(url.port || DEFAULT_PORTS[url.protocol]);
  if (
    url === null ||
    !(url.protocol in DEFAULT_PORTS) ||
    url.hostname === '' ||
    !port ||
    url.username !== '' ||
    !/^\/?$/.test(url.pathname)
  )
    throw new Error('--audit-syslog requires an address such as tls://logs.example.com:6514 or tcp://10.0.0.5:601.');
  return { protocol: url.protocol, host: url.hostname.replace(/^\[|\]$/g, ''), port };
}

function messageOf(entry: StreamedEntry): string {
  const priority = FACILITY * 8 + (entry.securityKind === null ? SEVERITY.other : SEVERITY.security);
  const header = `<${priority}>1 ${entry.at} ${printable(hostname(), HOST_MAX)} paydesk ${process.pid} ${printable(entry.action, MESSAGE_ID_MAX)} -`;
  const message = `${header} ${JSON.stringify(entry)}`;
  return `${Buffer.byteLength(message)} ${message}`;
}

/** Returns a text as a field of the header: printable ASCII without spaces. */
const printable = (text: string, max: number) => text.replaceAll(/[^!-~]/g, '').slice(0, max) || '-';
