import { createHmac } from 'node:crypto';
import { join } from 'node:path';
import { type Core, type CoreOptions, createCore } from '#core';
import {
  type Database,
  type DirectoryLock,
  hostsOf,
  lockDirectory,
  openPostgres,
  openSqlite,
  type SqliteOptions,
  type StartStep,
} from '#core/database';
import { Integrity, MixedInstallation } from '#core/database/integrity';
import type { Clock } from '#core/kernel';
import { createPatroni, parsePatroniUrls } from '#core/operation/failover-rehearsal';
import type { StatusServer } from '#core/operation/status';
import { parsePrivateHosts } from '#core/platform/outbound';
import { parseRequestLimits } from '#core/platform/rate-limits';
import { installationOfLedger, openSandboxLedger } from '#core/processing/gateways';
import { parsePublicUrl } from '#core/processing/merchants';
import { filesIn, finishRestore, lastProvenBackup } from '#core/records/backup';
import type { MessageLimits } from '#core/records/notifications';
import { GivenKey, KeyFile, KeyRing, type KeyStore } from '#core/records/vault';
import { MIGRATIONS } from '#migrations';
import { VERSION } from '#server/http';
import type { TaskThreads } from '#server/operation/maintenance';
import { IntegrityChecks } from '#server/operation/maintenance';
import type { Address } from './address.ts';
import { readCertificates } from './certificates.ts';
import { databaseUrlOf } from './config/index.ts';
import { checkParts } from './installation-parts.ts';
import type { Metrics } from './metrics/index.ts';
import type { ProcessGroup } from './processes/index.ts';

export interface ServerOptions {
  /** Folder for all data of this workstation; created if missing. */
  readonly dataDir: string;
  /** Listening address; loopback by default. */
  readonly host?: string;
  /** Listening port; 0 selects a free one. */
  readonly port?: number;
  /** Number of processes behind the port; `auto` for one on each core with PostgreSQL. One by default. */
  readonly processes?: number | 'auto';
  /** The processes of the server, if it runs several and this is one of them. */
  readonly group?: ProcessGroup;
  /** postgres://…; without it the database that the first run chose, or SQLite in the data directory. */
  readonly databaseUrl?: string;
  /** Seeds a sandbox tenant with sample data, once. */
  readonly demo?: boolean;
  /** Extent of the demo's data; sales only by default. */
  readonly sampleData?: 'sales' | 'business';
  /** Number of days for which the setup creates sample sales; three months by default. */
  readonly sampleDays?: number;
  /** The master key: a key store (such as the desktop's keychain), the key itself, or the path of its file; by default `master.key` in the data directory. */
  readonly masterKey?: KeyStore | Buffer | string;
  readonly logLevel?: string;
  /** Folder of the built renderer. */
  readonly webRoot?: string;
  /** Time after which the sandbox gateway reports a lost response as a timeout. */
  readonly sandboxTimeoutMs?: number;
  /** Time for which a move of a test clock runs jobs; 20 seconds by default. */
  readonly clockMoveMaxMs?: number | undefined;
  /** Time that answers of the sandbox gateway take while it is slow; four seconds by default. */
  readonly sandboxSlowMs?: number;
  readonly internalServiceKey?: string;
  /** Address of this server for payers, such as https://pay.example.com, if it differs from its own. A merchant can override it. */
  readonly publicUrl?: string;
  /** Addresses of proxies, or `loopback`, separated by commas, whose X-Forwarded-For is trusted; by default none. */
  readonly trustedProxy?: string;
  /** Requests per minute, hour and day of accounts of the tier enterprise, as `600,20000,200000`; those of professional by default. */
  readonly enterpriseLimits?: string;
  /** Limits of messages that differ from the usual ones. */
  readonly messageLimits?: Partial<MessageLimits>;
  /** Port on 127.0.0.1 on which metrics are served without a token; 0 selects a free one. */
  readonly metricsPort?: number;
  /** File with the token for metrics on the server's own address. */
  readonly metricsToken?: string;
  /** File of JSON lines that receives the audit log. */
  readonly auditFile?: string;
  /** Collector of syslog messages that receives the audit log, as `tls://HOST:PORT` or `tcp://HOST:PORT`. */
  readonly auditSyslog?: string;
  /** PEM file with certificate authorities that are trusted for the collector, in addition to the public ones. */
  readonly auditCa?: string;
  /** Private hosts to which live tenants may send messages and webhooks, such as `mail.office.lan:587`, separated by commas. */
  readonly privateHosts?: string;
  /** REST addresses of the Patroni members of the database, such as `http://db1:8008,http://db2:8008`. */
  readonly patroniUrl?: string;
  /** PEM file with certificate authorities that are trusted for webhook receivers, in addition to the public ones. */
  readonly webhookCa?: string;
  /** Timeout of webhook receivers; five seconds by default. */
  readonly webhookTimeoutMs?: number;
  /** Time for the headers of a request to arrive; ten seconds by default. */
  readonly headersTimeoutMs?: number;
  /** Time for which a write to SQLite waits until another program releases the file; five seconds by default. */
  readonly lockTimeoutMs?: number;
  /** Called before a step that delays the start: the check of a large SQLite file that was not closed properly, or the update of a large file. */
  readonly onLongStep?: (step: StartStep) => void;
  /** Ends a check. The start then fails. */
  readonly signal?: AbortSignal;
}

/** The core with its dependencies. */
export interface Composition {
  readonly core: Core;
  readonly database: Database;
  readonly ledger: Database;
  readonly keyRing: KeyRing;
  /** Returns the addresses of this server and its database, which no request of a tenant or a page may reach. */
  ownAddresses(): readonly Address[];
  /** Creates another core on the same databases with its own clock, to create sample history. */
  coreAt(clock: Clock): Core;
  close(): Promise<void>;
}

/**
 * Creates the core from the options: opens the master key and the databases and applies their migrations. With `isHistory` the core is not
 * started, and its writes are durable only when it is closed.
 */
export async function compose(
  options: ServerOptions,
  ports: Pick<CoreOptions, 'renderResponse' | 'report'> & {
    readonly ownAddress: () => Address | null;
    readonly threads?: Pick<TaskThreads, 'run' | 'findFaults' | 'copyLog' | 'heavyReads'>;
    readonly checkLargeFile?: SqliteOptions['checkLargeFile'];
    readonly onMigration?: SqliteOptions['onMigration'];
    readonly auditStreams?: StatusServer['auditStreams'];
    readonly metrics?: Pick<Metrics, 'countOutcome' | 'measured' | 'address'> | undefined;
  },
  keyStore: KeyStore,
  { isHistory = false, starts = true }: { readonly isHistory?: boolean; readonly starts?: boolean } = {},
): Promise<Composition> {
  // Wrong options are rejected before anything is created.
  const checkedOptions = await checkedCoreOptions(options);
  const patroniUrls = options.patroniUrl === undefined ? [] : parsePatroniUrls(options.patroniUrl);
  const url = await databaseUrlOf(options);
  const { group } = options;
  const files = filesIn(options.dataDir);
  const { service: file } = files;
  const { ownAddress, renderResponse, report, threads, checkLargeFile, onMigration, metrics, auditStreams } = ports;
  const integrity: Integrity = new Integrity({
    lastBackup: () => lastProvenBackup(file),
    onDamage: (damagedFile, detail) => {
      report('A database file is damaged; all changes are refused', { file: damagedFile, detail });
      void checks?.run();
    },
  });
  const checks =
    url === undefined && threads ? new IntegrityChecks(Object.values(files), integrity, threads.findFaults, report) : undefined;
  await checkParts({ dataDir: options.dataDir, url, integrity }, keyStore);
  const opened = url
    ? await openPostgres({ url, migrations: MIGRATIONS, processes: group?.role.count, serverName: group?.role.serverName })
    : await openSqlite({
        file,
        synchronous: isHistory ? 'NORMAL' : 'FULL',
        lockTimeoutMs: options.lockTimeoutMs,
        copyLog: threads?.copyLog,
        heavyReads: threads?.heavyReads,
        integrity,
        migrations: MIGRATIONS,
        checkLargeFile,
        onMigration,
      });
  const shared = group && { cacheChanges: group.cacheChanges };
  const database: Database = { ...opened, ...(metrics && { unitOfWork: metrics.measured(opened.unitOfWork) }), ...shared };
  const keyRing = await KeyRing.open(database, keyStore).catch(async (error: unknown) => {
    await database.close();
    throw error;
  });
  const openedLedger = await openSandboxLedger(
    url
      ? { url, processes: group?.role.count }
      : { file: files.sandbox, integrity, copyLog: threads?.copyLog, checkLargeFile, onMigration },
  ).catch(async (error: unknown) => {
    await database.close();
    throw error;
  });
  const ledger: Database = { ...openedLedger, ...shared };
  integrity.installationId = keyRing.installationId;
  const ledgerOwner = await installationOfLedger(ledger, keyRing.installationId);
  if (ledgerOwner !== keyRing.installationId) {
    await Promise.all([database.close(), ledger.close()]);
    throw new MixedInstallation(
      { name: 'sandbox_gateway', installationId: ledgerOwner },
      { name: url === undefined ? 'paydesk.sqlite' : 'PostgreSQL', installationId: keyRing.installationId },
    );
  }
  const databaseAddresses = [...(url ? hostsOf(url) : []), ...patroniUrls.map(addressOf)];
  const ownAddresses = () => [ownAddress(), metrics?.address() ?? null, ...databaseAddresses].filter((address) => address !== null);
  const coreOptions: CoreOptions = {
    database,
    jobPlacement: group?.jobPlacement,
    processes: group,
    sandboxLedger: ledger,
    masterKey: keyRing,
    sandboxTimeoutMs: options.sandboxTimeoutMs,
    clockMoveMaxMs: options.clockMoveMaxMs,
    sandboxSlowMs: options.sandboxSlowMs,
    ...checkedOptions,
    webhookTimeoutMs: options.webhookTimeoutMs,
    pageUrl: (path) => {
      const own = ownAddress();
      return `${own === null ? 'http://localhost' : addressText(own)}${path}`;
    },
    messageLimits: options.messageLimits,
    countOutcome: metrics?.countOutcome,
    ownAddresses,
    ...(patroniUrls.length > 0 && { patroni: createPatroni(patroniUrls) }),
    renderResponse,
    report,
    station: {
      version: VERSION,
      dataDir: options.dataDir,
      address: () => {
        const own = ownAddress();
        return own === null ? null : addressText(own);
      },
      auditStreams,
    },
    ...(threads && {
      backupStation: {
        from: url ? { url } : { files },
        dataDir: options.dataDir,
        version: VERSION,
        isAlone: group === undefined || (group.role.isFirstStart && group.role.index === 1),
        run: threads.run,
        checkIntegrity: async () => checks?.run(),
      },
    }),
  };
  const core = createCore(coreOptions);
  if ((await core.identity.tenants.first()) !== null) await keyRing.bindKey();
  if (starts && !isHistory) {
    await core.start();
    void checks?.run();
  }
  return {
    core,
    database,
    ledger,
    keyRing,
    ownAddresses,
    coreAt: (clock) => createCore({ ...coreOptions, processes: undefined, clock }),
    async close() {
      await checks?.stop();
      await core.stop();
      await database.close();
      await ledger.close();
    },
  };
}

function addressOf({ protocol, hostname, port }: URL): Address {
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || (protocol === 'https:' ? 443 : 80)) };
}

const addressText = ({ host, port }: Address) => `http://${host.includes(':') ? `[${host}]` : host}:${port}`;

/** Returns the options of the core that are given as text. @throws Error for a wrong one. */
async function checkedCoreOptions({ webhookCa, publicUrl, enterpriseLimits, privateHosts }: ServerOptions) {
  return {
    webhookCa: webhookCa === undefined ? [] : [await readCertificates(webhookCa, 'webhook receivers')],
    publicUrl: publicUrl === undefined ? undefined : parsePublicUrl(publicUrl, '--public-url'),
    enterpriseLimits: enterpriseLimits === undefined ? undefined : parseRequestLimits(enterpriseLimits),
    allowsPrivateHost: privateHosts === undefined ? undefined : parsePrivateHosts(privateHosts),
  };
}

const LOCKED_BY_MAIN_PROCESS: DirectoryLock = { release: () => {}, undo: () => {} };

/** Locks the data directory for this process. Returns the key store and the lock. */
export async function openDataDirectory(options: ServerOptions): Promise<{ keyStore: KeyStore; lock: DirectoryLock }> {
  const lock = options.group ? LOCKED_BY_MAIN_PROCESS : lockDirectory(options.dataDir);
  try {
    finishRestore(options.dataDir);
    const keyStore = keyStoreOf(options);
    // An unusable key file is rejected before anything else is read.
    await keyStore.keys();
    return { keyStore, lock };
  } catch (error) {
    lock.undo();
    throw error;
  }
}

/** Runs a command with the key store of the locked data directory. A command that fails leaves neither a lock file nor a folder. */
export async function inDataDirectory<Result>(options: ServerOptions, command: (keyStore: KeyStore) => Promise<Result>): Promise<Result> {
  const { keyStore, lock } = await openDataDirectory(options);
  try {
    const result = await command(keyStore);
    lock.release();
    return result;
  } catch (error) {
    lock.undo();
    throw error;
  }
}

/** Returns the key store of a data directory. */
export function keyStoreOf({ dataDir, masterKey = join(dataDir, 'master.key') }: ServerOptions): KeyStore {
  if (typeof masterKey === 'string') return new KeyFile(masterKey);
  return Buffer.isBuffer(masterKey) ? new GivenKey(masterKey) : masterKey;
}

/** Derives a secret from the installation key, so that it stays the same at every start and after each exchange of the master key. */
export function derivedSecret({ installation }: KeyRing, prefix: string, purpose: string): string {
  return prefix + createHmac('sha256', installation).update(`standing/${purpose}`).digest('base64url');
}

/** Returns the internal service key, with which a scheduler may call process-retries. */
export function serviceKeyOf(keyRing: KeyRing, options: Pick<ServerOptions, 'internalServiceKey'>): string {
  return options.internalServiceKey ?? derivedSecret(keyRing, 'isk_', 'internal-service-key');
}
