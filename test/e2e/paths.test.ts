import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { findBrowser, QUIET_FLAGS } from '../support/browser.ts';
import { expect, test } from './fixtures.ts';
import { resumeIn, takeBack } from './session.ts';

const LOCALE = /^(LANG|LANGUAGE|LC_\w+)$/;

for (const name of ['with spaces', 'Größe Ñandú 咖啡'])
  test(`saves a download in a folder named "${name}" without a locale in the environment @full`, async ({ service }) => {
    const folder = await mkdtemp(join(tmpdir(), `paydesk ${name} `));
    const withoutLocale = Object.fromEntries(Object.entries(process.env).filter(([variable]) => !LOCALE.test(variable)));
    const { executablePath, env } = await findBrowser();
    const browser = await chromium.launch({
      executablePath,
      args: QUIET_FLAGS,
      downloadsPath: folder,
      env: { ...(withoutLocale as Record<string, string>), ...env },
    });
    try {
      const page = await browser.newPage({ baseURL: service.baseUrl });
      await resumeIn(page, service);
      await page.goto('/#/audit');
      const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Export CSV' }).click()]);
      const path = await download.path();
      expect(path.startsWith(folder)).toBe(true);
      expect(await readFile(path, 'utf8')).toMatch(/^\uFEFFid,at,actor,action/);
      await takeBack(page, service);
    } finally {
      await browser.close();
      await rm(folder, { recursive: true, force: true });
    }
  });
