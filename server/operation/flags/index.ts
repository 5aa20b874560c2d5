import { homedir } from 'node:os';
import { join } from 'node:path';
import type { ServerOptions } from '../compose.ts';

const PROCESSES_MAX = 64;

interface Flag {
  /** Name of the value in the help; absent for a switch. */
  readonly value?: string;
  readonly description: string;
}

/** Flags of the server. Each can also be set by an environment variable PAYDESK_…. */
export const SERVER_FLAGS = {
  'data-dir': { value: 'folder', description: 'folder of all data (default: the application folder of the operating system)' },
  host: { value: 'address', description: 'listening address (default: 127.0.0.1)' },
  port: { value: 'number', description: 'port; 0 for a free one (default: 4801)' },
  processes: {
    value: 'number',
    description: 'processes behind the port, which requires PostgreSQL; `auto` for one on each core (default: 1)',
  },
  'database-url': { value: 'address', description: 'PostgreSQL instead of SQLite' },
  demo: { description: 'create sandbox accounts with sample data, once' },
  'sample-data': { value: 'extent', description: 'extent of the demo: `business` (default) or `sales`' },
  'master-key': { value: 'file', description: 'file with the master key (default: created in the data directory)' },
  'log-level': { value: 'level', description: 'level of the log (default: info, with one line per request)' },
  'web-root': { value: 'folder', description: 'folder of the built screens' },
  'webhook-ca': { value: 'file', description: 'additional certificate authority of webhook receivers' },
  'public-url': { value: 'address', description: 'address of this server for payers' },
  'trusted-proxy': { value: 'addresses', description: 'proxies whose X-Forwarded-For is trusted' },
  'private-hosts': { value: 'hosts', description: 'private hosts that may receive messages and webhooks of live accounts' },
  'patroni-url': { value: 'addresses', description: 'REST addresses of Patroni, for failover rehearsals' },
  'metrics-port': { value: 'number', description: 'port on 127.0.0.1 for metrics of Prometheus; 0 for a free one' },
  'metrics-token': { value: 'file', description: 'file with the token for /metrics on the address of the server' },
  'audit-file': { value: 'file', description: 'file that receives the audit log as JSON lines' },
  'audit-syslog': { value: 'address', description: 'collector that receives the audit log, such as tls://logs.example.com:6514' },
  'audit-ca': { value: 'file', description: 'additional certificate authority of that collector' },
  'enterprise-limits': { value: 'numbers', description: 'requests per minute, hour and day of enterprise accounts' },
  'messages-per-day': { value: 'number', description: 'emails, and text messages, that callers of an account may send in a day' },
} as const satisfies Readonly<Record<string, Flag>>;

export type ServerFlag = keyof typeof SERVER_FLAGS;

/** The flags as `parseArgs` of Node reads them. */
export const FLAG_OPTIONS = Object.fromEntries(
  Object.entries(SERVER_FLAGS).map(([name, flag]) => [name, { type: 'value' in flag ? ('string' as const) : ('boolean' as const) }]),
);

/** Returns the options of a server that its flags or else its environment set. @throws Error for a wrong value. */
export function serverOptionsOf(flags: Readonly<Partial<Record<ServerFlag, string | boolean>>>): ServerOptions {
  const setting = (name: ServerFlag): string | undefined => {
    const flag = flags[name];
    const text = typeof flag === 'string' ? flag : process.env[`PAYDESK_${name.toUpperCase().replaceAll('-', '_')}`];
    return text === '' ? undefined : text;
  };
  const port = setting('port');
  if (port !== undefined && !/^\d{1,5}$/.test(port)) throw new Error('--port requires a whole number from 0 to 65535.');
  const metricsPort = setting('metrics-port');
  if (metricsPort !== undefined && !/^\d{1,5}$/.test(metricsPort))
    throw new Error('--metrics-port requires a whole number from 0 to 65535.');
  const messagesPerDay = setting('messages-per-day');
  if (messagesPerDay !== undefined && !/^[1-9]\d{0,8}$/.test(messagesPerDay))
    throw new Error('--messages-per-day requires a whole number from 1.');
  return {
    dataDir: setting('data-dir') ?? defaultDataDir(),
    host: setting('host'),
    port: port === undefined ? undefined : Number(port),
    processes: processesOf(setting('processes')),
    databaseUrl: setting('database-url'),
    demo: flags.demo === true || ['1', 'true'].includes(process.env.PAYDESK_DEMO ?? ''),
    sampleData: sampleDataOf(setting('sample-data')),
    masterKey: setting('master-key'),
    logLevel: setting('log-level'),
    webRoot: setting('web-root'),
    webhookCa: setting('webhook-ca'),
    publicUrl: setting('public-url'),
    trustedProxy: setting('trusted-proxy'),
    metricsPort: metricsPort === undefined ? undefined : Number(metricsPort),
    metricsToken: setting('metrics-token'),
    auditFile: setting('audit-file'),
    auditSyslog: setting('audit-syslog'),
    auditCa: setting('audit-ca'),
    privateHosts: setting('private-hosts'),
    patroniUrl: setting('patroni-url'),
    enterpriseLimits: setting('enterprise-limits'),
    messageLimits: messagesPerDay === undefined ? undefined : { perTenant: Number(messagesPerDay) },
    internalServiceKey: process.env.PAYDESK_INTERNAL_SERVICE_KEY,
  };
}

function processesOf(setting: string | undefined): ServerOptions['processes'] {
  if (setting === undefined || setting === 'auto') return setting;
  const count = /^\d{1,3}$/.test(setting) ? Number(setting) : 0;
  if (count < 1 || count > PROCESSES_MAX) throw new Error(`--processes requires \`auto\` or a whole number from 1 to ${PROCESSES_MAX}.`);
  return count;
}

/** Returns the platform's folder for application data. */
function defaultDataDir(): string {
  if (process.platform === 'win32') return join(process.env.APPDATA ?? join(homedir(), 'AppData/Roaming'), 'Paydesk');
  if (process.platform === 'darwin') return join(homedir(), 'Library/Application Support/Paydesk');
  return join(process.env.XDG_DATA_HOME ?? join(homedir(), '.local/share'), 'paydesk');
}

function sampleDataOf(setting: string | undefined): ServerOptions['sampleData'] {
  if (setting === undefined || setting === 'business' || setting === 'sales') return setting ?? 'business';
  throw new Error('--sample-data must be `business` or `sales`.');
}
