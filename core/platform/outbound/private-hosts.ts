import { isIP } from 'node:net';

/** Returns true if the operator of the installation has allowed live tenants to reach this host although its address is private. */
export type AllowsPrivateHost = (host: string, port: number) => boolean;

const NAME = /^(?!-)[a-z0-9-]{1,63}(\.[a-z0-9-]{1,63})*$/;
const FORMAT_ERROR =
  'Private hosts must be host names or IP addresses with an optional port, such as mail.office.lan:587, separated by commas.';

const normalized = (host: string) => host.replace(/^\[|\]$/g, '').toLowerCase();

/**
 * Parses the list of private hosts that the operator allows: `host` for all its ports, `host:port` for one port, `[address]:port` for IPv6.
 * @throws Error if an entry is not a host.
 */
export function parsePrivateHosts(text: string): AllowsPrivateHost {
  const allowed = new Set<string>();
  for (const entry of text.split(',').map((each) => each.trim())) {
    const [, bracketed, name, port] = /^(?:\[([^\]]+)\]|([^:[\]]+))(?::(\d{1,5}))?$/.exec(entry) ?? [];
    const host = normalized(bracketed ?? name ?? entry);
    if (isIP(host) === 0 && !NAME.test(host)) throw new Error(FORMAT_ERROR);
    allowed.add(port === undefined ? host : `${host} ${Number(port)}`);
  }
  return (host, port) => allowed.has(normalized(host)) || allowed.has(`${normalized(host)} ${port}`);
}
