import pg, { type ClientConfig } from 'pg';
import { type HostAddress, hostText, type PostgresAddress, type TargetSession, tlsVariants } from './address.ts';
import { connectionTls, type HostTls } from './tls.ts';
import { READ_ONLY, ReadOnlyServer, ROLE_SQL, readOnlyReason, type ServerRole, TIMELINE_SQL } from './writable.ts';

/** Time limit of a probe if there are several hosts. They are probed in parallel, so that it is also the limit of a selection. */
const PROBE_MS = 3_000;
/** Time limit of a probe of a single host. */
const PROBE_SINGLE_MS = 5_000;
/** Time that a selection among several hosts stays valid for further connections. */
const VALID_MS = 1_000;
/** Time for which the result of the TLS probe of a single host stays valid. */
const TLS_VALID_MS = 60_000;
/** Time that the other hosts have to answer after the first suitable one, which may be a former primary. */
const OTHERS_WITHIN_MS = 50;
/** Classes of errors after which another host is tried: connection failures, and servers that start, stop or have no free connection. */
const TRY_OTHER_HOST = /^(08|57P|53300)|^E[A-Z]{4,}$/;

/** Host and TLS options for one connection. */
export interface SelectedHost {
  readonly host: HostAddress;
  readonly tls: HostTls;
  /** Timeline of the primary; null if it is unknown. */
  readonly timeline: number | null;
}

type Probe = { readonly found: SelectedHost & { readonly role: ServerRole } } | { readonly host: HostAddress; readonly error: Error };

/**
 * Chooses the host of each new connection: the first one of the address that answers and suits it. Connections share a choice for a second.
 * A primary whose timeline is older than one that was in use is a former primary and is not chosen.
 */
export class HostSelector {
  readonly #address: PostgresAddress;
  readonly #target: TargetSession;
  #selected: { readonly host: SelectedHost; readonly atMs: number } | null = null;
  #selecting: Promise<SelectedHost> | null = null;
  #timeline = 0;
  /** Called when another server has become the primary. Connections to other hosts are out of date then. */
  onMove: (to: SelectedHost) => void = () => {};

  constructor(address: PostgresAddress, target: TargetSession) {
    this.#address = address;
    this.#target = target;
  }

  /** @throws ReadOnlyServer if hosts answer but none accepts changes; otherwise the error of the first host. */
  async select(): Promise<SelectedHost> {
    const validMs = this.#hasChoice ? VALID_MS : TLS_VALID_MS;
    if (this.#selected && performance.now() - this.#selected.atMs < validMs) return this.#selected.host;
    const only = this.#onlyChoice();
    if (only) return only;
    this.#selecting ??= this.#probeAll().finally(() => {
      this.#selecting = null;
    });
    return this.#selecting;
  }

  /** Makes the next connection probe several hosts again. */
  connectionLost(): void {
    if (this.#hasChoice) this.forget();
  }

  /** Makes the next connection probe the hosts again. */
  forget(): void {
    this.#selected = null;
  }

  /** True if the address has several hosts. A single host is probed only to find out if it has TLS. */
  get #hasChoice(): boolean {
    return this.#address.hosts.length > 1;
  }

  #onlyChoice(): SelectedHost | null {
    const [host] = this.#address.hosts;
    if (host === undefined || this.#hasChoice) return null;
    const [tls, other] = tlsVariants(this.#address, host);
    return tls === undefined || other !== undefined ? null : { host, tls, timeline: null };
  }

  async #probeAll(): Promise<SelectedHost> {
    const { hosts } = this.#address;
    const probes: Probe[] = [];
    const suitable = () => probes.flatMap((probe) => ('found' in probe && this.#suits(probe.found.role) ? [probe.found] : []));
    const isLeading = () => suitable().some(({ timeline }) => timeline === null || timeline >= this.#timeline);
    await new Promise<void>((resolve) => {
      for (const host of hosts) {
        void this.#probe(host).then((probe) => {
          probes.push(probe);
          if (probes.length === hosts.length) resolve();
          else if (isLeading()) setTimeout(resolve, OTHERS_WITHIN_MS);
        });
      }
    });
    const chosen = this.#choose(suitable());
    if (chosen === null) throw this.#failure(probes);
    const { role: _, ...selected } = chosen;
    const isMove = this.#timeline !== 0 && selected.timeline !== null && selected.timeline > this.#timeline;
    this.#timeline = Math.max(this.#timeline, selected.timeline ?? 0);
    this.#selected = { host: selected, atMs: performance.now() };
    if (isMove) this.onMove(selected);
    return selected;
  }

  #suits({ isStandby, isReadOnly }: ServerRole): boolean {
    if (this.#target === 'any' || this.#target === 'prefer-standby') return true;
    if (this.#target === 'standby') return isStandby;
    if (this.#target === 'read-only') return isReadOnly;
    return !isReadOnly;
  }

  /** Returns the host with the highest timeline, and among equals the first of the address. */
  #choose<Host extends SelectedHost & { readonly role: ServerRole }>(suitable: readonly Host[]): Host | null {
    const order = (found: Host) => this.#address.hosts.indexOf(found.host);
    const rank = (found: Host) => (this.#target === 'prefer-standby' && !found.role.isStandby ? 1 : 0);
    const current = suitable.filter(({ role, timeline }) => role.isStandby || timeline === null || timeline >= this.#timeline);
    const [first] = current.sort(
      (one, other) => rank(one) - rank(other) || (other.timeline ?? 0) - (one.timeline ?? 0) || order(one) - order(other),
    );
    return first ?? null;
  }

  #failure(probes: readonly Probe[]): Error {
    const reasons = this.#address.hosts.map((host) => {
      const probe = probes.find((each) => ('found' in each ? each.found.host : each.host) === host);
      if (probe === undefined) return { text: `${hostText(host)} did not answer`, error: null };
      if ('error' in probe) return { text: `${hostText(host)}: ${probe.error.message}`, error: probe.error };
      const { role, timeline } = probe.found;
      const isFormer = !role.isReadOnly && timeline !== null && timeline < this.#timeline;
      return {
        text: `${hostText(host)} ${isFormer ? 'is a former primary' : role.isReadOnly ? readOnlyReason(role) : 'is not read-only'}`,
        error: null,
      };
    });
    const message = reasons.map(({ text }) => text).join('; ');
    // As with libpq, a server that refuses the user or the database ends the search.
    const refused = reasons.find(({ error }) => error && !isOtherHostTried(error))?.error;
    if (refused) return refused;
    if (probes.some((probe) => 'found' in probe)) return new ReadOnlyServer(`No PostgreSQL server accepts changes: ${message}.`);
    const first = reasons.find(({ error }) => error)?.error;
    if (first && reasons.length === 1) return first;
    return Object.assign(new Error(`No PostgreSQL server can be reached: ${message}.`), { code: codeOf(first) || 'ECONNREFUSED' });
  }

  async #probe(host: HostAddress): Promise<Probe> {
    let failure: Error | undefined;
    for (const tls of tlsVariants(this.#address, host)) {
      try {
        return { found: await this.#ask(host, tls) };
      } catch (error) {
        failure = error as Error;
        // The other variant is tried only if the server refused this one, not if the server cannot be reached.
        if (isOtherHostTried(failure)) break;
      }
    }
    return { host, error: failure ?? new Error('no connection was tried') };
  }

  async #ask(host: HostAddress, tls: HostTls): Promise<SelectedHost & { readonly role: ServerRole }> {
    const most = this.#hasChoice ? PROBE_MS : PROBE_SINGLE_MS;
    const limit = Math.min(most, this.#address.connectTimeoutMs ?? most);
    const config: ClientConfig = { ...this.#address.client, host: host.host, port: host.port, ssl: connectionTls(tls) };
    const client = new pg.Client({ ...config, connectionTimeoutMillis: limit, query_timeout: limit });
    // Without a listener, a lost connection would end the process.
    client.on('error', () => {});
    try {
      await client.connect();
      const { rows } = await client.query<ServerRole>(ROLE_SQL);
      const role = rows[0] ?? { isStandby: false, isReadOnly: false };
      const timeline = role.isStandby || !this.#hasChoice ? null : await timelineOf(client);
      return { host, tls, timeline, role };
    } finally {
      void client.end().catch(() => {});
    }
  }
}

/** Returns the timeline of a primary; null where the service does not report it, as some managed ones do not. */
async function timelineOf(client: pg.Client): Promise<number | null> {
  return client.query<{ timeline: number }>(TIMELINE_SQL).then(
    ({ rows }) => rows[0]?.timeline ?? null,
    () => null,
  );
}

const codeOf = (error: Error | null | undefined) => (error as { code?: string } | null | undefined)?.code ?? '';

function isOtherHostTried(error: Error): boolean {
  const code = codeOf(error);
  return TRY_OTHER_HOST.test(code) || code === READ_ONLY || (code === '' && !/SSL|certificate/i.test(error.message));
}
