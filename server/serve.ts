import { homedir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { DamagedDatabase } from '#core/platform/integrity';
import { type ServerOptions, startServer } from '#server';

const STOP_WITHIN_MS = 10_000;

const FLAGS = {
  'data-dir': { type: 'string' },
  host: { type: 'string' },
  port: { type: 'string' },
  'database-url': { type: 'string' },
  demo: { type: 'boolean' },
  'sample-data': { type: 'string' },
  'master-key': { type: 'string' },
  'log-level': { type: 'string' },
  'web-root': { type: 'string' },
  'webhook-ca': { type: 'string' },
  'public-url': { type: 'string' },
  'trusted-proxy': { type: 'string' },
  'private-hosts': { type: 'string' },
  'patroni-url': { type: 'string' },
  'enterprise-limits': { type: 'string' },
} as const;

/** Returns the platform's folder for application data. */
function defaultDataDir(): string {
  if (process.platform === 'win32') return join(process.env.APPDATA ?? join(homedir(), 'AppData/Roaming'), 'Paydesk');
  if (process.platform === 'darwin') return join(homedir(), 'Library/Application Support/Paydesk');
  return join(process.env.XDG_DATA_HOME ?? join(homedir(), '.local/share'), 'paydesk');
}

/** Reads the flags; each can also be set by an environment variable PAYDESK_… (decisions 1). */
function readOptions(): ServerOptions {
  const { values } = parseArgs({ options: FLAGS, allowPositionals: false });
  const setting = (name: keyof typeof FLAGS): string | undefined => {
    const flag = values[name];
    const text = typeof flag === 'string' ? flag : process.env[`PAYDESK_${name.toUpperCase().replaceAll('-', '_')}`];
    return text === '' ? undefined : text;
  };
  const port = setting('port');
  if (port !== undefined && !/^\d{1,5}$/.test(port)) throw new Error('--port requires a whole number from 0 to 65535.');
  return {
    dataDir: setting('data-dir') ?? defaultDataDir(),
    host: setting('host'),
    port: port === undefined ? undefined : Number(port),
    databaseUrl: setting('database-url'),
    demo: values.demo === true || ['1', 'true'].includes(process.env.PAYDESK_DEMO ?? ''),
    sampleData: sampleDataOf(setting('sample-data')),
    masterKey: setting('master-key'),
    logLevel: setting('log-level'),
    webRoot: setting('web-root'),
    webhookCa: setting('webhook-ca'),
    publicUrl: setting('public-url'),
    trustedProxy: setting('trusted-proxy'),
    privateHosts: setting('private-hosts'),
    patroniUrl: setting('patroni-url'),
    enterpriseLimits: setting('enterprise-limits'),
    internalServiceKey: process.env.PAYDESK_INTERNAL_SERVICE_KEY,
  };
}

function sampleDataOf(setting: string | undefined): ServerOptions['sampleData'] {
  if (setting === undefined || setting === 'business' || setting === 'sales') return setting ?? 'business';
  throw new Error('--sample-data must be `business` or `sales`.');
}

function fail(error: unknown): never {
  const { code, message } = error as NodeJS.ErrnoException;
  const reason = error instanceof DamagedDatabase ? `${message} ${error.instructions}` : message;
  const text = code === 'EADDRINUSE' ? 'Another program uses the port. Choose another one with --port.' : reason;
  process.stderr.write(`paydesk: ${text}\n`);
  process.exit(1);
}

async function main(): Promise<void> {
  const server = await startServer(readOptions());
  let stopping = false;
  const stop = () => {
    if (stopping) return;
    stopping = true;
    setTimeout(() => process.exit(0), STOP_WITHIN_MS).unref();
    server.close().then(() => process.exit(0), fail);
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  const { baseUrl, environment, credentials } = server;
  process.stdout.write(`${JSON.stringify({ event: 'ready', baseUrl, environment, ...(credentials ? { credentials } : {}) })}\n`);
}

if (Number(process.versions.node.split('.')[0]) < 24)
  fail(new Error(`Node 24 or later is required; this is Node ${process.versions.node}. Start the server with npm run serve.`));
main().catch(fail);
