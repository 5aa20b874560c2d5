import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { FLAG_OPTIONS, type ServerFlag, serverOptionsOf } from '#server/operation/flags';
import { LogFile } from '../electron/log/log-file.ts';
import { buildDesktopWhenStale, buildPagesWhenStale } from './build-when-stale.ts';
import { ROOT } from './bundle.ts';
import '../cli/stop-with-npm.mjs';
import { exitWith, onReady, spawnServer } from './child.ts';

const FETCH_TIMEOUT_MS = 5 * 60_000;

const flags = process.argv.slice(2);
const obstacle = findWindowObstacle() ?? (await fetchElectron()) ?? findElectronObstacle();

if (obstacle === undefined) {
  await buildDesktopWhenStale();
  const child = spawn(electronBinary(), ['.', ...flags], { cwd: ROOT, stdio: 'inherit' });
  await exitWith(child);
} else {
  console.log(`${obstacle}, so Paydesk opens in the browser instead of its own window.`);
  await buildPagesWhenStale();
  const server = spawnServer(flags, { stderr: 'pipe' });
  const log = new LogFile(join(dataDirOf(flags), 'logs'));
  if (server.stderr) createInterface({ input: server.stderr }).on('line', (line) => writeLine(line, log));
  onReady(server, ({ baseUrl, credentials }) => {
    console.log(`\nOpen ${baseUrl}/ in a browser on this computer. Press Ctrl+C to stop Paydesk. The log is in ${log.folder}.`);
    if (credentials) console.log(`Sample data: sign in as ${credentials.adminEmail} with ${credentials.adminPassword}`);
  });
  await exitWith(server);
}

/** Writes a line of the server's log to the log file, and any other line, which is for people, to standard error. */
function writeLine(line: string, log: LogFile): void {
  if (line.startsWith('{')) log.add(line);
  else console.error(line);
}

function dataDirOf(args: string[]): string {
  try {
    const { values } = parseArgs({ args, options: FLAG_OPTIONS, allowPositionals: false });
    return serverOptionsOf(values as Partial<Record<ServerFlag, string | boolean>>).dataDir;
  } catch (error) {
    console.error(`paydesk: ${error instanceof Error ? error.message : String(error)}`);
    process.exit(1);
  }
}

/** Returns the reason why this computer cannot show a window; undefined if it can. */
function findWindowObstacle(): string | undefined {
  if (process.platform !== 'linux') return undefined;
  if (!process.env.DISPLAY && !process.env.WAYLAND_DISPLAY) return 'There is no display';
  if (process.getuid?.() === 0 && !process.env.ELECTRON_DISABLE_SANDBOX) return 'Electron does not run as root';
  return undefined;
}

/**
 * Downloads the Electron binary at the first start, because its package no longer does so on installation. Returns the reason of a failure,
 * or undefined.
 */
async function fetchElectron(): Promise<string | undefined> {
  if (existsSync(electronBinary())) return undefined;
  console.log('Downloading the Electron runtime. This happens only once…');
  const install = spawn(process.execPath, [join(ROOT, 'node_modules/electron/install.js')], { stdio: 'ignore', timeout: FETCH_TIMEOUT_MS });
  await new Promise((resolve) => install.once('close', resolve).once('error', resolve));
  return existsSync(electronBinary()) ? undefined : 'The Electron runtime could not be downloaded';
}

/** Returns the reason why the downloaded binary does not run here, such as a missing desktop library; undefined if it does. */
function findElectronObstacle(): string | undefined {
  return spawnSync(electronBinary(), ['--version'], { stdio: 'ignore' }).status === 0
    ? undefined
    : 'Electron does not run on this computer';
}

/** Returns the path of the Electron binary in its package. */
function electronBinary(): string {
  const folder = join(ROOT, 'node_modules/electron');
  const pathFile = join(folder, 'path.txt');
  const program = existsSync(pathFile) ? readFileSync(pathFile, 'utf8') : 'not-downloaded';
  return join(process.env.ELECTRON_OVERRIDE_DIST_PATH ?? join(folder, 'dist'), program);
}
