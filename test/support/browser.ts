import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { chromium } from '@playwright/test';
import packaged, { inflate } from '@sparticuz/chromium';

/** A Chromium and the settings it needs on this computer. */
export interface Browser {
  readonly executablePath: string;
  readonly env: Record<string, string>;
}

const PACKAGE = join(import.meta.dirname, '../../node_modules/@sparticuz/chromium');

const UNPACKED = join(import.meta.dirname, '../../node_modules/.cache/paydesk');

const NAMES_ON_PATH = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];

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

/**
 * Finds the browser for end-to-end tests: the one named by PAYDESK_TEST_CHROMIUM, Playwright's own, one on the PATH, or the one that npm
 * installed.
 */
export async function findBrowser(): Promise<Browser> {
  const installed = [process.env.PAYDESK_TEST_CHROMIUM, chromium.executablePath(), ...pathsOfInstalled()];
  const found = installed.find((path) => path && existsSync(path));
  return found === undefined ? unpackBrowser() : { executablePath: found, env: {} };
}

function pathsOfInstalled(): string[] {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const common = [
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  ];
  return [...NAMES_ON_PATH.flatMap((name) => folders.map((folder) => join(folder, name))), ...common];
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
  const env: Record<string, string> = {};
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
