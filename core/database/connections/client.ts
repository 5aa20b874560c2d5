import pg, { type ClientConfig } from 'pg';
import { type HostAddress, isUnixSocket, parseAddress, type TargetSession } from './address.ts';
import { HostSelector, type SelectedHost } from './host-selector.ts';
import { InvalidAddress } from './invalid-address.ts';
import { connectionTls } from './tls.ts';

/** Settings of a connection or a pool that selects its host each time it connects. */
export interface ServerConfig extends ClientConfig {
  readonly Client: typeof pg.Client;
}

interface Cluster {
  readonly selector: HostSelector;
  readonly config: ServerConfig;
}

const clusters = new Map<string, Cluster>();

/** Returns the hosts of an address that are reached over a network, which excludes Unix sockets. @throws InvalidAddress */
export function hostsOf(url: string): readonly HostAddress[] {
  return parseAddress(url).hosts.filter((host) => !isUnixSocket(host));
}

/** Returns settings for connections that change the database and therefore need a primary. @throws InvalidAddress */
export function writableConfig(url: string): ServerConfig {
  const { target } = parseAddress(url);
  if (target === 'read-only' || target === 'standby' || target === 'prefer-standby')
    throw new InvalidAddress(`Paydesk changes the database: \`target_session_attrs\` must be read-write or primary, not ${target}.`);
  return clusterOf(url, 'read-write').config;
}

/** Returns settings for connections that only read, to the kind of server that the address requires. @throws InvalidAddress */
export function readingConfig(url: string): ServerConfig {
  return clusterOf(url, parseAddress(url).target).config;
}

/** Opens a connection that only reads. A lost connection fails the next statement. */
export async function connectReading(url: string, more: ClientConfig = {}): Promise<pg.Client> {
  return connectWith({ ...readingConfig(url), ...more });
}

/** Opens a connection that may change the database. */
export async function connectWritable(url: string, more: ClientConfig = {}): Promise<pg.Client> {
  return connectWith({ ...writableConfig(url), ...more });
}

async function connectWith({ Client, ...config }: ServerConfig): Promise<pg.Client> {
  const client = new Client(config);
  await client.connect();
  return client;
}

/** Returns the shared state of an address. All its connections use it, so that they move to another primary together. */
function clusterOf(url: string, target: TargetSession): Cluster {
  const key = `${target} ${url}`;
  const known = clusters.get(key);
  if (known) return known;
  const address = parseAddress(url);
  const selector = new HostSelector(address, target);
  const made: Cluster = { selector, config: { ...address.client, Client: clientFor(selector) } };
  clusters.set(key, made);
  return made;
}

/** Returns a client class of pg whose `connect` selects the host first. */
function clientFor(selector: HostSelector): typeof pg.Client {
  const open = new Map<pg.Client, SelectedHost>();
  selector.onMove = (to) => {
    for (const [client, { host, timeline }] of open) {
      if (host === to.host && timeline === to.timeline) continue;
      open.delete(client);
      // A statement that waits for a former primary would wait until its time limit.
      streamOf(client).destroy(new Error('Connection terminated: another PostgreSQL server is the primary now'));
    }
  };

  class SelectingClient extends pg.Client {
    #isEnded = false;

    constructor(config?: string | ClientConfig) {
      super(config);
      // Without a listener, an error of an idle connection would end the process.
      this.on('error', () => selector.connectionLost());
    }

    override connect(): Promise<pg.Client>;
    override connect(callback: Parameters<pg.Client['connect']>[0]): void;
    override connect(callback?: (error: never, client: never) => void): Promise<pg.Client> | undefined {
      const connected = this.#connect();
      if (!callback) return connected;
      const done = callback as (error: Error | null, client?: pg.Client) => void;
      connected.then((client) => done(null, client), done);
      return undefined;
    }

    async #connect(): Promise<pg.Client> {
      const selected = await selector.select();
      if (this.#isEnded) throw new Error('Connection terminated');
      const { host, tls } = selected;
      const ssl = connectionTls(tls);
      Object.assign(this, { host: host.host, port: host.port, ssl });
      Object.assign((this as unknown as { connection: object }).connection, { ssl });
      this.once('end', () => open.delete(this));
      open.set(this, selected);
      try {
        return await super.connect();
      } catch (error) {
        open.delete(this);
        selector.forget();
        throw error;
      }
    }

    override end(): Promise<void>;
    override end(callback: (error: Error) => void): void;
    override end(callback?: (error: Error) => void): Promise<void> | undefined {
      this.#isEnded = true;
      if (callback) {
        super.end(callback);
        return undefined;
      }
      return super.end();
    }
  }
  return SelectingClient;
}

/** Returns the network stream of a client. The pool of pg ends connections by it in the same way. */
function streamOf(client: pg.Client): { destroy(error: Error): void } {
  return (client as unknown as { connection: { stream: { destroy(error: Error): void } } }).connection.stream;
}
