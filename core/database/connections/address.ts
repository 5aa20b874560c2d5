import { parse } from 'pg-connection-string';
import { InvalidAddress } from './invalid-address.ts';
import { type HostTls, type TlsSettings, tlsSettings } from './tls.ts';

const DEFAULT_PORT = 5_432;
const SCHEME = /^postgres(?:ql)?:\/\//i;
const KEYWORD_START = /^\s*[a-z_]+\s*=/;
/** `keyword = value`: a value is in single quotes, or has no spaces. A backslash escapes the next character in both. */
const PAIR = /\s*([A-Za-z_]+)\s*=\s*(?:'((?:[^'\\]|\\[\s\S])*)'(?=\s|$)|((?:[^\s'\\]|\\[\s\S])*)(?=\s|$))\s*/y;
const TARGETS = ['any', 'read-write', 'primary', 'read-only', 'standby', 'prefer-standby'] as const;
/** Parameters of libpq that Paydesk does not implement. They are refused, because ignoring them would change the choice of the server. */
const UNSUPPORTED = ['hostaddr', 'service', 'servicefile', 'passfile', 'sslcrl', 'sslcrldir', 'requiressl'];
/** Parameters that the address itself evaluates. The others are settings of the pg client. */
const EVALUATED = ['host', 'port', 'target_session_attrs', 'load_balance_hosts', 'connect_timeout'];

/** Kind of server that an address asks for, with the values of libpq. */
export type TargetSession = (typeof TARGETS)[number];

/** A server of an address. The host is a name, an IP address without brackets, or the directory of a Unix socket. */
export interface HostAddress {
  readonly host: string;
  readonly port: number;
}

/** An address of one or several PostgreSQL servers, with the meanings of libpq. */
export interface PostgresAddress {
  readonly hosts: readonly HostAddress[];
  readonly target: TargetSession;
  readonly tls: TlsSettings;
  /** Time limit of one connection attempt, in milliseconds; null if the address has none. */
  readonly connectTimeoutMs: number | null;
  /** Settings of the pg client: user, password, database and the remaining parameters. */
  readonly client: Readonly<Record<string, unknown>>;
}

export const isUnixSocket = ({ host }: HostAddress): boolean => host.startsWith('/');

/** Returns the host and port as an address writes them. */
export const hostText = ({ host, port }: HostAddress): string => `${host.includes(':') ? `[${host}]` : host}:${port}`;

/**
 * Parses an address by the rules of libpq: `postgres://user:password@host1:port1,host2:port2/database?parameters`, or
 * `host=host1,host2 port=5432 dbname=database user=user`. @throws InvalidAddress with the reason.
 */
export function parseAddress(text: string): PostgresAddress {
  const url = isKeywordForm(text) ? urlOfKeywords(text) : text;
  const scheme = SCHEME.exec(url)?.[0];
  if (scheme === undefined)
    throw new InvalidAddress('The address must begin with postgres://, or consist of keywords such as host=db1,db2 dbname=paydesk.');
  const [, authority = '', path = '', search = ''] = /^([^/?#]*)(\/[^?#]*)?(?:\?([^#]*))?/.exec(url.slice(scheme.length)) ?? [];
  const at = authority.lastIndexOf('@');
  const login = at < 0 ? '' : authority.slice(0, at + 1);
  const given = new URLSearchParams(search);
  for (const name of UNSUPPORTED) if (given.has(name)) throw new InvalidAddress(`The parameter \`${name}\` is not supported.`);
  if (given.get('load_balance_hosts') === 'random')
    throw new InvalidAddress('The parameter `load_balance_hosts` must be `disable`, because one server accepts all changes.');
  const hosts = hostsOf(authority.slice(at + 1), given);
  return {
    hosts,
    target: targetOf(given),
    tls: tlsSettings(given, (message) => new InvalidAddress(message)),
    connectTimeoutMs: timeoutOf(given),
    client: clientSettings(`${scheme}${login}host${path}`, given),
  };
}

function hostsOf(list: string, given: URLSearchParams): HostAddress[] {
  const named = given.get('host');
  const entries = (named ?? list).split(',').map((entry) => (named === null ? splitPort(entry) : { host: entry, port: '' }));
  const ports = (given.get('port') ?? '').split(',');
  if (ports.length > 1 && ports.length !== entries.length)
    throw new InvalidAddress(`The address has ${entries.length} hosts and ${ports.length} ports.`);
  return entries.map(({ host, port }, index) => ({
    host: decoded(host) || 'localhost',
    port: portOf(port || ((ports.length > 1 ? ports[index] : ports[0]) ?? '')),
  }));
}

function splitPort(entry: string): { host: string; port: string } {
  const found = /^(?:\[([^\]]+)\]|([^:[\]]*))(?::([^:[\]]*))?$/.exec(entry);
  if (!found)
    throw new InvalidAddress(
      'The address has a host that cannot be read. Write IPv6 addresses in brackets, and encode special characters of user and password, such as %40 for @.',
    );
  return { host: found[1] ?? found[2] ?? '', port: found[3] ?? '' };
}

function portOf(text: string): number {
  if (text === '') return DEFAULT_PORT;
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port > 0 && port < 65_536) return port;
  throw new InvalidAddress(
    'The address has a port that is not a number from 1 to 65535. Encode special characters of user and password, such as %2F for /.',
  );
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (cause) {
    throw new InvalidAddress('The address has a host with an invalid percent sign.', { cause });
  }
}

function targetOf(given: URLSearchParams): TargetSession {
  const text = given.get('target_session_attrs') ?? 'any';
  const target = TARGETS.find((each) => each === text);
  if (target === undefined) throw new InvalidAddress(`The parameter \`target_session_attrs\` must be one of ${TARGETS.join(', ')}.`);
  return target;
}

function timeoutOf(given: URLSearchParams): number | null {
  const text = given.get('connect_timeout');
  if (text === null) return null;
  if (!/^\d+$/.test(text)) throw new InvalidAddress('The parameter `connect_timeout` must be a number of seconds.');
  // With libpq, 0 means no limit and 1 means 2 seconds.
  const seconds = Number(text);
  return seconds === 0 ? null : Math.max(2, seconds) * 1_000;
}

function clientSettings(url: string, given: URLSearchParams): Record<string, unknown> {
  const rest = new URLSearchParams([...given].filter(([name]) => !EVALUATED.includes(name) && !isTlsParameter(name)));
  try {
    const { host: _, port: __, ssl: ___, ...settings } = parse(rest.size > 0 ? `${url}?${rest}` : url);
    return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== null && value !== '' && value !== undefined));
  } catch {
    // The error of the parser may contain the address, and so the password.
    throw new InvalidAddress('The address cannot be read. Encode special characters of user and password, such as %25 for a percent sign.');
  }
}

const isTlsParameter = (name: string) => name.startsWith('ssl') && name !== 'sslnegotiation';

/** Returns the variants of TLS to try for a host, in order. A Unix socket is never encrypted. */
export function tlsVariants({ tls }: PostgresAddress, host: HostAddress): readonly HostTls[] {
  return isUnixSocket(host) ? [false] : tls.variants;
}

/** Returns true if an address has the form of keywords and values, as in `host=db1,db2 dbname=paydesk`. */
const isKeywordForm = (address: string): boolean => KEYWORD_START.test(address);

/** Converts an address of keywords and values to the form `postgres://…`. @throws InvalidAddress */
function urlOfKeywords(address: string): string {
  const given = new URLSearchParams();
  for (PAIR.lastIndex = 0; PAIR.lastIndex < address.length; ) {
    const at = PAIR.lastIndex;
    const [, name = '', quoted, plain = ''] = PAIR.exec(address) ?? [];
    if (name === '')
      throw new InvalidAddress(
        `The address cannot be read from character ${at + 1} on. Write keyword=value pairs with spaces between them, and put values with spaces in single quotes.`,
      );
    // As with libpq, the last of several equal keywords counts.
    given.set(name, (quoted ?? plain).replace(/\\([\s\S])/g, '$1'));
  }
  const taken = (name: string) => {
    const value = given.get(name) ?? '';
    given.delete(name);
    return encodeURIComponent(value);
  };
  const [user, password, database] = [taken('user'), taken('password'), taken('dbname')];
  return `postgres://${user}${password === '' ? '' : `:${password}`}${user === '' && password === '' ? '' : '@'}/${database}?${given}`;
}
