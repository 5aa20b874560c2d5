import { promises as dns } from 'node:dns';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { vi } from 'vitest';

interface PublicHost {
  /** Address that leads to the server, such as `http://pay.example:40123`. */
  readonly url: string;
  /** Host with the port, as in a Host header. */
  readonly host: string;
  close(): void;
}

/** Starts a proxy in front of a server of this process, under a name that this process resolves to it. */
export async function startPublicHost(baseUrl: string, name = 'pay.example'): Promise<PublicHost> {
  const { hostname, port } = new URL(baseUrl);
  const proxy = createServer((incoming) => {
    const outgoing = connect(Number(port), hostname);
    const stop = () => {
      incoming.destroy();
      outgoing.destroy();
    };
    incoming.on('error', stop).pipe(outgoing).on('error', stop).pipe(incoming);
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const lookup = dns.lookup.bind(dns);
  const spy = vi
    .spyOn(dns, 'lookup')
    .mockImplementation(((host: string, options: object) =>
      host === name ? Promise.resolve([{ address: '127.0.0.1', family: 4 }]) : lookup(host, options)) as never);
  const host = `${name}:${(proxy.address() as AddressInfo).port}`;
  return {
    url: `http://${host}`,
    host,
    close() {
      spy.mockRestore();
      proxy.close();
    },
  };
}
