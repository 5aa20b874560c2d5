import { createHmac } from 'node:crypto';
import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Core, type CoreOptions, createCore, ENTITIES } from '#core';
import { type Database, lockDirectory, openPostgres, openSqlite } from '#core/database';
import { openSandboxLedger } from '#core/gateways';
import { parsePublicUrl } from '#core/merchants';
import { loadMasterKey } from '#core/vault';
import { MIGRATIONS } from '#migrations';

export interface ServerOptions {
  /** Where everything of this station is kept; made when missing. */
  readonly dataDir: string;
  /** Loopback unless told otherwise. */
  readonly host?: string;
  /** 0 takes a free one. */
  readonly port?: number;
  /** postgres://…; without it SQLite in the data directory, or what the first run chose. */
  readonly databaseUrl?: string;
  /** Seeds a sandbox tenant with sample data, once. */
  readonly demo?: boolean;
  /** A 32-byte key (the desktop's, from its keychain) or the file that holds one; by default `master.key` in the data directory. */
  readonly masterKey?: Buffer | string;
  readonly logLevel?: string;
  /** Folder of the built renderer. */
  readonly webRoot?: string;
  /** How long the sandbox gateway leaves a lost answer unanswered. */
  readonly sandboxTimeoutMs?: number;
  readonly internalServiceKey?: string;
  /** Where payers reach this server, as https://pay.example.com, when it is not by its own address; a merchant may have another. */
  readonly publicUrl?: string;
  /** Addresses of proxies, or `loopback`, with commas between them, whose X-Forwarded-For is believed; without it nobody's is. */
  readonly trustedProxy?: string;
  /** File of certificates in PEM that webhook receivers may show besides those of the public authorities. */
  readonly webhookCa?: string;
}

/** The core with what it stands on. */
export interface Composition {
  readonly core: Core;
  readonly database: Database;
  readonly ledger: Database;
  readonly masterKey: Buffer;
  /** Another core on the same databases whose time is another's, to make a past. */
  coreAt(clock: { now(): number }): Core;
  close(): Promise<void>;
}

interface Config {
  readonly databaseUrl?: string;
}

const CONFIG_FILE = 'config.json';

/** Options to core: data directory, master key, databases with their migrations, connectors. */
export async function compose(
  options: ServerOptions,
  ports: Pick<CoreOptions, 'renderAnswer' | 'report'> & { readonly ownAddress: () => Address | null },
  masterKey: Buffer,
): Promise<Composition> {
  const url = options.databaseUrl ?? (await readConfig(options.dataDir)).databaseUrl;
  const shape = { entities: ENTITIES, migrations: MIGRATIONS };
  const database = url
    ? await openPostgres({ url, ...shape })
    : await openSqlite({ file: join(options.dataDir, 'paydesk.sqlite'), ...shape });
  const ledger = await openSandboxLedger(url ? { url } : { file: join(options.dataDir, 'sandbox-gateway.sqlite') }).catch(
    async (error: unknown) => {
      await database.close();
      throw error;
    },
  );
  const { ownAddress, renderAnswer, report } = ports;
  const databaseAddress = url ? addressOf(url) : null;
  const coreOptions: CoreOptions = {
    database,
    sandboxLedger: ledger,
    masterKey,
    sandboxTimeoutMs: options.sandboxTimeoutMs,
    webhookCa: options.webhookCa === undefined ? [] : [await readCertificates(options.webhookCa)],
    publicUrl: options.publicUrl === undefined ? undefined : parsePublicUrl(options.publicUrl, '--public-url'),
    pageUrl: (path) => {
      const own = ownAddress();
      return `http://${own === null ? 'localhost' : `${own.host.includes(':') ? `[${own.host}]` : own.host}:${own.port}`}${path}`;
    },
    ownAddresses: () => [ownAddress(), databaseAddress].filter((address) => address !== null),
    renderAnswer,
    report,
  };
  const core = createCore(coreOptions);
  await core.start();
  return {
    core,
    database,
    ledger,
    masterKey,
    coreAt: (clock) => createCore({ ...coreOptions, clock }),
    async close() {
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

const POSTGRES_PORT = 5_432;

function addressOf(databaseUrl: string): Address {
  const { hostname, port } = new URL(databaseUrl);
  return { host: hostname, port: port === '' ? POSTGRES_PORT : Number(port) };
}

async function readCertificates(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch((cause: Error) => {
    throw new Error(`The certificates for webhook receivers cannot be read from ${file}: ${cause.message}`, { cause });
  });
  if (!text.includes('-----BEGIN CERTIFICATE-----')) throw new Error(`${file} holds no certificate in PEM.`);
  return text;
}

/** Takes the data directory for this process and reads the master key; answers both and how to let go. */
export async function openDataDirectory(options: ServerOptions): Promise<{ masterKey: Buffer; release: () => void }> {
  await mkdir(options.dataDir, { recursive: true, mode: 0o700 });
  const release = lockDirectory(options.dataDir);
  try {
    const { masterKey } = options;
    const key = Buffer.isBuffer(masterKey) ? masterKey : await loadMasterKey(masterKey ?? join(options.dataDir, 'master.key'));
    return { masterKey: key, release };
  } catch (error) {
    release();
    throw error;
  }
}

/** A secret that comes out the same at every start of this installation. */
export function standingSecret(masterKey: Buffer, prefix: string, purpose: string): string {
  return prefix + createHmac('sha256', masterKey).update(`standing/${purpose}`).digest('base64url');
}

/** The key that opens process-retries to a scheduler (decisions 6). */
export function serviceKeyOf(masterKey: Buffer, options: Pick<ServerOptions, 'internalServiceKey'>): string {
  return options.internalServiceKey ?? standingSecret(masterKey, 'isk_', 'internal-service-key');
}

async function readConfig(dataDir: string): Promise<Config> {
  try {
    return JSON.parse(await readFile(join(dataDir, CONFIG_FILE), 'utf8')) as Config;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new Error(`${CONFIG_FILE} in the data directory cannot be read; mend or remove it.`, { cause: error });
  }
}

/** Keeps the choice of the first run; the address may hold a password, so the file is its owner's alone. */
export async function writeConfig(dataDir: string, config: Config): Promise<void> {
  const file = join(dataDir, CONFIG_FILE);
  await writeFile(`${file}.new`, `${JSON.stringify(config, null, 2)}\n`, { mode: 0o600 });
  await chmod(`${file}.new`, 0o600);
  await rename(`${file}.new`, file);
}

/** Tries an address as the first run would use it; null when it will do, else the reason in words. */
export async function refusalOfDatabase(url: string): Promise<string | null> {
  if (!/^postgres(ql)?:\/\//.test(url)) return 'The address must begin with postgres://.';
  try {
    const database = await openPostgres({ url, entities: [], migrations: [] });
    await database.ping();
    await database.close();
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
