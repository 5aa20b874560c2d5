import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../support/free-port.ts';
import { until } from './shell.ts';

/** The folder of system programs is often missing on the PATH of a person. */
const SYSTEM_PATH = `${process.env.PATH ?? ''}:/usr/sbin:/sbin`;
const env = { ...process.env, PATH: SYSTEM_PATH };
const exists = (program: string) => spawnSync('sh', ['-c', `command -v ${program}`], { env }).status === 0;

/** Reason why no CUPS server can be started; undefined if its programs are installed. */
export const NO_CUPS = ['cupsd', 'lpadmin', 'lp'].every(exists) ? undefined : 'there is no CUPS';

export interface Cups {
  /** Address for the variable CUPS_SERVER. */
  readonly server: string;
  /** Adds a queue that sends its jobs unchanged to a port of this computer. */
  addQueue(name: string, port: number): void;
  /** Stops a queue from accepting jobs. */
  reject(name: string): void;
  stop(): Promise<void>;
}

/** Starts a CUPS server with its own folder and port, so that the printers of this computer stay as they are. */
export async function startCups(): Promise<Cups> {
  const folder = mkdtempSync(join(tmpdir(), 'paydesk-cups-'));
  // Filters and backends run as another user if root has started the server.
  chmodSync(folder, 0o755);
  const server = `127.0.0.1:${await freePort()}`;
  const inFolder = (name: string) => join(folder, name);
  for (const name of ['spool', 'cache', 'state', 'log', 'tmp']) mkdirSync(inFolder(name));
  chmodSync(inFolder('tmp'), 0o1777);
  writeFileSync(
    inFolder('cupsd.conf'),
    `Listen ${server}
Browsing No
WebInterface No
DefaultAuthType None
<Location />
  Order allow,deny
  Allow from 127.0.0.1
</Location>
<Policy default>
  <Limit All>
    Order deny,allow
  </Limit>
</Policy>
`,
  );
  writeFileSync(
    inFolder('cups-files.conf'),
    `ServerRoot ${folder}
RequestRoot ${inFolder('spool')}
CacheDir ${inFolder('cache')}
StateDir ${inFolder('state')}
TempDir ${inFolder('tmp')}
AccessLog ${inFolder('log/access')}
ErrorLog ${inFolder('log/error')}
PageLog ${inFolder('log/page')}
SystemGroup root
`,
  );
  const child = spawn('cupsd', ['-f', '-c', inFolder('cupsd.conf'), '-s', inFolder('cups-files.conf')], { env, stdio: 'ignore' });
  const exited = once(child, 'exit');
  const run = (program: string, ...args: string[]) => {
    const { status, stderr } = spawnSync(program, ['-h', server, ...args], { env, encoding: 'utf8' });
    if (status !== 0) throw new Error(`${program}: ${stderr}`);
  };
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`CUPS ended:\n${readFileSync(inFolder('log/error'), 'utf8')}`);
    return spawnSync('lpstat', ['-h', server, '-r'], { env, encoding: 'utf8' }).stdout.includes('is running');
  });
  return {
    server,
    addQueue: (name, port) => run('lpadmin', '-p', name, '-E', '-v', `socket://127.0.0.1:${port}`, '-m', 'raw'),
    reject: (name) => run('cupsreject', name),
    async stop() {
      child.kill('SIGTERM');
      await exited;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
