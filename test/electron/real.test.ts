import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { _electron, type ElectronApplication, type Page } from '@playwright/test';
import { describe } from 'vitest';
import { ROOT } from '../../scripts/build-when-stale.ts';
import { mainFlows } from './flows.ts';
import type { Shell } from './shell.ts';

const obstacle = obstacleToElectron();
if (obstacle !== undefined) console.log(`Not run on Electron itself, because ${obstacle}. The same flows run on its double.`);

describe.skipIf(obstacle !== undefined)(
  `the built shell on Electron itself${obstacle === undefined ? '' : ` (not run: ${obstacle})`}`,
  () => {
    mainFlows(launchReal);
  },
);

/** Why Electron cannot run here, or undefined. */
function obstacleToElectron(): string | undefined {
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
  // Containers run their tests as root, as which Chromium has no sandbox.
  const flags = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const application = await _electron.launch({ executablePath: electronBinary(), args: [...flags, `--user-data-dir=${dataDir}`, ROOT] });
  const window = await pastQuestions(application);
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

/** The application's window; where the desktop has no keyring, a passphrase is chosen first. */
async function pastQuestions(application: ElectronApplication): Promise<Page> {
  const first = await application.firstWindow();
  await first.waitForLoadState();
  const question = first.locator('form[data-do=choose]');
  if ((await question.count()) === 0) return first;
  const next = application.waitForEvent('window');
  for (const name of ['passphrase', 'again']) await question.locator(`[name=${name}]`).fill('a passphrase for a test');
  await question.locator('button').click();
  const window = await next;
  await window.waitForLoadState();
  return window;
}
