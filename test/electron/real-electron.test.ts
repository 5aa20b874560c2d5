// @module-tag full
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { _electron, type ElectronApplication, type Page } from '@playwright/test';
import { describe } from 'vitest';
import { ROOT } from '../../scripts/bundle.ts';
import { defineCommonTests } from './common-tests.ts';
import type { Shell } from './shell.ts';

const skipReason = reasonNotToRun();
if (skipReason !== undefined) console.log(`Not run on Electron, because ${skipReason}. The same tests run on the Electron double.`);

describe.skipIf(skipReason !== undefined)(
  `built application on Electron${skipReason === undefined ? '' : ` (not run: ${skipReason})`}`,
  () => {
    defineCommonTests(launchReal);
  },
);

/** Returns the reason why Electron cannot run here; undefined if it can. */
function reasonNotToRun(): string | undefined {
  if (electronBinary() === undefined) return 'its binary is not installed';
  if (process.platform === 'linux' && !process.env.DISPLAY && !process.env.WAYLAND_DISPLAY) return 'there is no display';
  return undefined;
}

function electronBinary(): string | undefined {
  const folder = join(ROOT, 'node_modules/electron');
  const note = join(folder, 'path.txt');
  const program = existsSync(note) ? readFileSync(note, 'utf8') : 'electron';
  const binary = join(process.env.ELECTRON_OVERRIDE_DIST_PATH ?? join(folder, 'dist'), program);
  return existsSync(binary) ? binary : undefined;
}

async function launchReal(): Promise<Shell> {
  const dataDir = await mkdtemp(join(tmpdir(), 'paydesk-electron-'));
  // Containers run tests as root, and Chromium has no sandbox for root.
  const flags = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const application = await _electron.launch({ executablePath: electronBinary(), args: [...flags, `--user-data-dir=${dataDir}`, ROOT] });
  const window = await answerFirstQuestion(application);
  const ended = new Promise<number | null>((resolve) => application.process().once('exit', resolve));
  return {
    dataDir,
    evaluate: (run, argument) => application.evaluate(run as never, argument) as never,
    inPage: (expression) => window.evaluate(expression),
    quit: async () => {
      await application.evaluate(({ app }) => app.quit());
      return ended;
    },
  };
}

/** Returns the main window. Without a keyring, a passphrase is chosen first. */
async function answerFirstQuestion(application: ElectronApplication): Promise<Page> {
  const first = await application.firstWindow();
  await first.waitForLoadState();
  const question = first.locator('form[data-do=choose]');
  if ((await question.count()) === 0) return first;
  const next = application.waitForEvent('window');
  for (const name of ['passphrase', 'repeatedPassphrase']) await question.locator(`[name=${name}]`).fill('a passphrase for a test');
  await question.locator('button').click();
  const window = await next;
  await window.waitForLoadState();
  return window;
}
