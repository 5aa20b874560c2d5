import { createHmac } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Core, type CoreOptions, createCore, ENTITIES } from '#core';
import { filesIn, finishRestore, lastProvenBackup } from '#core/backup';
import { type Database, hostsOf, lockDirectory, openPostgres, openSqlite } from '#core/database';
import { openSandboxLedger } from '#core/gateways';
import type { Clock } from '#core/kernel';
import { parsePublicUrl } from '#core/merchants';
import { Integrity } from '#core/platform/integrity';
import { parsePrivateHosts } from '#core/platform/outbound';
import { parseRequestLimits } from '#core/platform/rate-limits';
import { DESKTOP_KEY_FILE, GivenKey, KeyFile, KeyRing, type KeyStore, lockOf, MissingKey, WrongKey } from '#core/vault';
import { MIGRATIONS } from '#migrations';
import { VERSION } from '#server/http';
import type { TaskThreads } from '#server/maintenance';
import { IntegrityChecks } from '#server/maintenance';

export interface ServerOptions {
  /** Folder for all data of this workstation; created if missing. */
  readonly dataDir: string;
  /** Listening address; loopback by default. */
  readonly host?: string;
  /** 0 takes a free one. */
  readonly port?: number;
  /** postgres://…; without it SQLite in the data directory, or what the first run chose. */
  readonly databaseUrl?: string;
  /** Seeds a sandbox tenant with sample data, once. */
  readonly demo?: boolean;
  /** Number of days that the sample sales of a set-up cover; three months by default. */
  readonly sampleDays?: number;
  /** The store of the master key (the desktop's, in its keychain), the key, or the file that holds it; by default `master.key` in the data directory. */
  readonly masterKey?: KeyStore | Buffer | string;
  readonly logLevel?: string;
  /** Folder of the built renderer. */
  readonly webRoot?: string;
  /** Time that the sandbox gateway leaves a lost answer unanswered. */
  readonly sandboxTimeoutMs?: number;
  readonly internalServiceKey?: string;
  /** Address of this server for payers, such as https://pay.example.com, if it differs from its own; a merchant may have another one. */
  readonly publicUrl?: string;
  /** Addresses of proxies, or `loopback`, separated by commas, whose X-Forwarded-For is trusted; by default none. */
  readonly trustedProxy?: string;
  /** Requests per minute, hour and day of accounts of the tier enterprise, as `600,20000,200000`; those of professional by default. */
  readonly enterpriseLimits?: string;
  /** Private hosts, as `mail.office.lan:587`, with commas between them, that live tenants may have messages and webhooks sent to. */
  readonly privateHosts?: string;
  /** File of certificates in PEM that webhook receivers may show besides those of the public authorities. */
  readonly webhookCa?: string;
  /** Time that webhook receivers have to answer; five seconds by default. */
  readonly webhookTimeoutMs?: number;
  /** Time for the headers of a request to arrive; ten seconds by default. */
  readonly headersTimeoutMs?: number;
  /** Time that a write to SQLite waits for another program to release the file; five seconds by default. */
  readonly lockTimeoutMs?: number;
}

/** The core with its dependencies. */
export interface Composition {
  readonly core: Core;
  readonly database: Database;
  readonly ledger: Database;
  readonly keyRing: KeyRing;
  /** Another core on the same databases whose time is another's, to make a past. */
  coreAt(clock: Clock): Core;
  close(): Promise<void>;
}

interface Config {
  readonly databaseUrl?: string;
}

const CONFIG_FILE = 'config.json';

/** Options to core: data directory, master key, databases with their migrations, connectors. To make a history it is not started, and not durable before its end. */
export async function compose(
  options: ServerOptions,
  ports: Pick<CoreOptions, 'renderAnswer' | 'report'> & {
    readonly ownAddress: () => Address | null;
    readonly threads?: Pick<TaskThreads, 'run' | 'findFaults'>;
  },
  keyStore: KeyStore,
  { isHistory = false, starts = true }: { readonly isHistory?: boolean; readonly starts?: boolean } = {},
): Promise<Composition> {
  const url = await databaseUrlOf(options);
  const shape = { entities: ENTITIES, migrations: MIGRATIONS };
  const files = filesIn(options.dataDir);
  const { service: file } = files;
  const { ownAddress, renderAnswer, report, threads } = ports;
  const integrity: Integrity = new Integrity({
    lastBackup: () => lastProvenBackup(file),
    onDamage: (damagedFile, detail) => {
      report('A database file is damaged; all changes are stopped', { file: damagedFile, detail });
      void checks?.run();
    },
  });
  const checks =
    url === undefined && threads ? new IntegrityChecks(Object.values(files), integrity, threads.findFaults, report) : undefined;
  await checkKey(url ? { url } : { file, integrity }, keyStore, options.dataDir);
  const database = url
    ? await openPostgres({ url, ...shape })
    : await openSqlite({ file, synchronous: isHistory ? 'NORMAL' : 'FULL', lockTimeoutMs: options.lockTimeoutMs, integrity, ...shape });
  const keyRing = await KeyRing.open(database, keyStore).catch(async (error: unknown) => {
    await database.close();
    throw error;
  });
  const ledger = await openSandboxLedger(url ? { url } : { file: files.sandbox, integrity }).catch(async (error: unknown) => {
    await database.close();
    throw error;
  });
  const databaseAddresses = url ? hostsOf(url) : [];
  const coreOptions: CoreOptions = {
    database,
    sandboxLedger: ledger,
    masterKey: keyRing,
    sandboxTimeoutMs: options.sandboxTimeoutMs,
    webhookCa: options.webhookCa === undefined ? [] : [await readCertificates(options.webhookCa)],
    webhookTimeoutMs: options.webhookTimeoutMs,
    publicUrl: options.publicUrl === undefined ? undefined : parsePublicUrl(options.publicUrl, '--public-url'),
    pageUrl: (path) => {
      const own = ownAddress();
      return `${own === null ? 'http://localhost' : addressText(own)}${path}`;
    },
    enterpriseLimits: options.enterpriseLimits === undefined ? undefined : parseRequestLimits(options.enterpriseLimits),
    allowsPrivateHost: options.privateHosts === undefined ? undefined : parsePrivateHosts(options.privateHosts),
    ownAddresses: () => [ownAddress(), ...databaseAddresses].filter((address) => address !== null),
    renderAnswer,
    report,
    station: {
      version: VERSION,
      dataDir: options.dataDir,
      address: () => {
        const own = ownAddress();
        return own === null ? null : addressText(own);
      },
    },
    ...(threads && {
      backupStation: {
        from: url ? { url } : { files },
        dataDir: options.dataDir,
        version: VERSION,
        run: threads.run,
        checkIntegrity: async () => checks?.run(),
      },
    }),
  };
  const core = createCore(coreOptions);
  if (starts && !isHistory) {
    await core.start();
    void checks?.run();
  }
  return {
    core,
    database,
    ledger,
    keyRing,
    coreAt: (clock) => createCore({ ...coreOptions, clock }),
    async close() {
      await checks?.stop();
      await core.stop();
      await database.close();
      await ledger.close();
    },
  };
}

interface Address {
  readonly host: string;
  readonly port: number;
}

const addressText = ({ host, port }: Address) => `http://${host.includes(':') ? `[${host}]` : host}:${port}`;

async function readCertificates(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch((cause: Error) => {
    throw new Error(`The certificates for webhook receivers cannot be read from ${file}: ${cause.message}`, { cause });
  });
  if (!text.includes('-----BEGIN CERTIFICATE-----')) throw new Error(`${file} contains no certificate in PEM format.`);
  return text;
}

/** Refuses a key that is not the database's, or none for a database that has one, before anything is written. */
async function checkKey(
  place: { readonly file: string; readonly integrity: Integrity } | { readonly url: string },
  keyStore: KeyStore,
  dataDir: string,
): Promise<void> {
  const [lock, keys] = [await lockOf(place), await keyStore.keys()];
  if (lock === null) return;
  if (keys.length === 0 && existsSync(join(dataDir, DESKTOP_KEY_FILE)))
    throw new Error('The desktop application keeps the key of this data directory. Open it there, or use its recovery file.');
  if (keys.length === 0) throw new MissingKey(keyStore.place);
  if (!keys.some((key) => lock.opensWith(key))) throw new WrongKey(keyStore.place);
}

/** Locks the data directory for this process. Returns the key store and a function that unlocks it. */
export async function openDataDirectory(options: ServerOptions): Promise<{ keyStore: KeyStore; release: () => void }> {
  await mkdir(options.dataDir, { recursive: true, mode: 0o700 });
  const release = lockDirectory(options.dataDir);
  try {
    finishRestore(options.dataDir);
    const keyStore = keyStoreOf(options);
    // A key file that may not be used is refused before anything else is looked at.
    await keyStore.keys();
    return { keyStore, release };
  } catch (error) {
    release();
    throw error;
  }
}

/** Returns the key store of a data directory. */
export function keyStoreOf({ dataDir, masterKey = join(dataDir, 'master.key') }: ServerOptions): KeyStore {
  if (typeof masterKey === 'string') return new KeyFile(masterKey);
  return Buffer.isBuffer(masterKey) ? new GivenKey(masterKey) : masterKey;
}

/** A secret that comes out the same at every start of this installation, and after each exchange of its master key. */
export function standingSecret({ installation }: KeyRing, prefix: string, purpose: string): string {
  return prefix + createHmac('sha256', installation).update(`standing/${purpose}`).digest('base64url');
}

/** The key that opens process-retries to a scheduler (decisions 6). */
export function serviceKeyOf(keyRing: KeyRing, options: Pick<ServerOptions, 'internalServiceKey'>): string {
  return options.internalServiceKey ?? standingSecret(keyRing, 'isk_', 'internal-service-key');
}

/** The PostgreSQL database that was named, or chosen by the first run; undefined for SQLite in the data directory. */
export async function databaseUrlOf({ databaseUrl, dataDir }: Pick<ServerOptions, 'databaseUrl' | 'dataDir'>): Promise<string | undefined> {
  return databaseUrl ?? (await readConfig(dataDir)).databaseUrl;
}

async function readConfig(dataDir: string): Promise<Config> {
  try {
    return JSON.parse(await readFile(join(dataDir, CONFIG_FILE), 'utf8')) as Config;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new Error(`${CONFIG_FILE} in the data directory can't be read. Correct or remove it.`, { cause: error });
  }
}

/** Keeps the choice of the first run; the address may hold a password, so the file is its owner's alone. */
export async function writeConfig(dataDir: string, config: Config): Promise<void> {
  const file = join(dataDir, CONFIG_FILE);
  await writeFile(`${file}.new`, `${JSON.stringify(config, null, 2)}\n`, { mode: 0o600 });
  await chmod(`${file}.new`, 0o600);
  await rename(`${file}.new`, file);
}
