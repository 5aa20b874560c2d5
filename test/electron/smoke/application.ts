import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { type Browser, chromium, type Page } from '@playwright/test';
import { freePort } from '../../support/free-port.ts';
import { pause } from '../../support/until.ts';

const START_TIMEOUT_MS = 60_000;

/** A program that starts the application, on Electron or on its double. */
export interface Application {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Files that name the update server and the key of its versions; null if they are part of what the system verifies. */
  readonly updates: { readonly feed: string; readonly publicKey: string; readonly needsHttps: boolean } | null;
}

/** Thrown if there is no application to start. */
export class NoApplication extends Error {}

/** Places of the program in an unpacked application, by system. */
const PROGRAMS: Readonly<Record<string, RegExp>> = {
  linux: /^(linux[\w-]*-unpacked\/)?paydesk$/,
  win32: /^(win[\w-]*-unpacked\/)?Paydesk\.exe$/i,
  darwin: /^((mac[\w-]*\/)?Paydesk\.app\/)?Contents\/MacOS\/Paydesk$/,
};

/**
 * Finds the application that electron-builder packaged for this system in a folder, such as `dist` or `dist/linux-unpacked`. On Linux it is copied to
 * another folder, where its update server can be changed. @throws NoApplication.
 */
export function packagedApplication(folder: string, copy: string): Application {
  const place = PROGRAMS[process.platform];
  const program = place && existsSync(folder) && statSync(folder).isDirectory() ? findProgram(folder, place) : undefined;
  if (program === undefined)
    throw new NoApplication(
      `${folder} contains no packaged application for this system. Package it with \`npm run package\`, which needs the binary of Electron: if it was not downloaded, run \`node node_modules/electron/install.js\` on a computer with access to it.`,
    );
  if (process.platform !== 'linux') return { program, args: [], env: {}, updates: null };
  if (!process.env.DISPLAY && !process.env.WAYLAND_DISPLAY)
    throw new NoApplication('Electron needs a display. Run the command on a desktop, or with `xvfb-run`.');
  cpSync(dirname(program), copy, { recursive: true, verbatimSymlinks: true });
  const resources = join(copy, 'resources');
  return {
    program: join(copy, relative(dirname(program), program)),
    // Chromium has no sandbox for root. The update server of this run has a certificate of its own.
    args: [...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), '--ignore-certificate-errors'],
    env: {},
    updates: { feed: join(resources, 'app-update.yml'), publicKey: join(resources, 'update-public-key.pem'), needsHttps: true },
  };
}

function findProgram(folder: string, place: RegExp): string | undefined {
  const toPath = (name: string) => name.replaceAll('\\', '/');
  const depth = 4;
  const visit = (path: string, left: number): string[] =>
    readdirSync(join(folder, path), { withFileTypes: true }).flatMap((entry) => {
      const inside = toPath(join(path, entry.name));
      return entry.isDirectory() ? (left > 0 ? visit(inside, left - 1) : []) : [inside];
    });
  const found = visit('', depth).find((path) => place.test(path));
  return found === undefined ? undefined : join(folder, found);
}

/** Starts the application a second time with a link, as the system does. Resolves when that process has handed the link over and ended. */
export async function startWithLink({ program, args, env }: Application, dataDir: string, link: string): Promise<void> {
  const child = spawn(program, [...args, `--user-data-dir=${dataDir}`, link], { env: { ...process.env, ...env }, stdio: 'ignore' });
  await once(child, 'exit');
}

/** A running application, driven through the debugging port of its windows as a person would, without access to its main process. */
export class RunningApplication {
  readonly #child: ChildProcess;
  readonly #browser: Browser;
  readonly exited: Promise<number | null>;

  private constructor(child: ChildProcess, browser: Browser, exited: Promise<number | null>) {
    this.#child = child;
    this.#browser = browser;
    this.exited = exited;
  }

  /** Starts the application and waits until its window can be driven. @throws Error with its output if it ends first. */
  static async start({ program, args, env }: Application, dataDir: string, more: readonly string[] = []): Promise<RunningApplication> {
    const port = await freePort();
    const flags = [...args, `--user-data-dir=${dataDir}`, `--remote-debugging-port=${port}`, ...more];
    const child = spawn(program, flags, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (part: Buffer) => {
        output = (output + part.toString()).slice(-20_000);
      });
    const exited = once(child, 'exit').then(([code]) => code as number | null);
    let hasEnded = false;
    void exited.then(() => {
      hasEnded = true;
    });
    const deadline = Date.now() + START_TIMEOUT_MS;
    for (;;) {
      if (hasEnded) throw new Error(`The application ended with ${child.exitCode}:\n${output}`);
      const browser = await chromium.connectOverCDP(`http://127.0.0.1:${port}`).catch(() => undefined);
      if (browser) return new RunningApplication(child, browser, exited);
      if (Date.now() > deadline) {
        child.kill('SIGKILL');
        throw new Error(`The application opened no debugging port within ${START_TIMEOUT_MS} ms:\n${output}`);
      }
      await pause(200);
    }
  }

  /** Returns the page of the main window. A computer without a keyring asks for a passphrase first, which is chosen. */
  async mainWindow(): Promise<Page> {
    const deadline = Date.now() + START_TIMEOUT_MS;
    for (;;) {
      for (const page of this.#browser.contexts().flatMap((context) => context.pages())) {
        if (/^http:\/\/(127\.0\.0\.1|localhost):/.test(page.url())) return page;
        const question = page.locator('form[data-do=choose]');
        if ((await question.count().catch(() => 0)) === 0) continue;
        for (const name of ['passphrase', 'repeatedPassphrase']) await question.locator(`[name=${name}]`).fill('a passphrase for this run');
        await question.locator('button').click();
      }
      if (Date.now() > deadline) throw new Error('The application opened no window with its screens.');
      await pause(100);
    }
  }

  /** Asks the application to quit, as the system does when a person signs out. */
  quit(): void {
    if (process.platform === 'win32') execFileSync('taskkill', ['/PID', String(this.#child.pid)]);
    else this.#child.kill('SIGTERM');
  }

  /** Ends the process if it still runs. */
  async kill(): Promise<void> {
    await this.#browser.close().catch(() => undefined);
    if (this.#child.exitCode === null && this.#child.signalCode === null) this.#child.kill('SIGKILL');
    await this.exited;
  }
}
