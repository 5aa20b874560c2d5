import { type PostgresServer, startPostgres } from './postgres-server.ts';
import { type PostgresStandby, startStandby } from './postgres-standby.ts';

/** A primary and its synchronous standby, which change places. Their addresses stay the same. */
export interface PostgresPair {
  /** `postgres://…` of the current primary as its superuser, without a database name. */
  readonly primaryUrl: string;
  readonly standbyUrl: string;
  /** Returns an address that names both servers. */
  addressOf(database: string): string;
  kill(): Promise<void>;
  suspend(): Promise<void>;
  /** Address of the former primary after a promotion. */
  readonly formerUrl: string;
  /** Wakes the former primary after a promotion. */
  resumeFormer(): Promise<void>;
  killFormer(): Promise<void>;
  /** Promotes the standby, which replaces the primary. */
  promote(): Promise<void>;
  /** Replaces the former primary by a synchronous standby with a new base backup, on the same port. */
  rejoin(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a pair with an empty database. */
export async function startPair(database: string): Promise<PostgresPair> {
  const first = await startPostgres(['-c', 'fsync=off', '-c', 'max_connections=100']);
  await first.createDatabase(database);
  let primary: Pick<PostgresServer, 'url' | 'kill' | 'suspend' | 'resume' | 'stop'> = first;
  let standby: PostgresStandby = await startStandby(first.url, { isSynchronous: true });
  let former: typeof primary | undefined;
  const urls = [first.url, standby.url];
  return {
    get primaryUrl() {
      return primary.url;
    },
    get standbyUrl() {
      return standby.url;
    },
    addressOf(name) {
      const hosts = urls.map((url) => new URL(url).host);
      return `${first.url.replace(/@.*/, `@${hosts.join(',')}`)}/${name}?target_session_attrs=read-write`;
    },
    kill: () => primary.kill(),
    suspend: () => primary.suspend(),
    get formerUrl() {
      return former?.url ?? '';
    },
    resumeFormer: async () => former?.resume(),
    killFormer: async () => former?.kill(),
    async promote() {
      await standby.promote();
      [former, primary] = [primary, standby];
    },
    async rejoin() {
      const url = former?.url ?? '';
      await former?.kill();
      await former?.stop();
      former = undefined;
      standby = await startStandby(primary.url, { isSynchronous: true, onPort: Number(new URL(url).port) });
    },
    async stop() {
      await standby.stop();
      await former?.resume();
      await former?.stop();
      await primary.stop();
    },
  };
}
