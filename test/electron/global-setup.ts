import { chromium } from '@playwright/test';
import { buildDesktopWhenStale } from '../../scripts/build-when-stale.ts';
import { findBrowser, QUIET_FLAGS } from '../support/browser.ts';

/**
 * Builds the application and starts one Chromium; each Electron double reads its address from the environment and connects separately. The
 * pages of an application are closed when it ends and are not visible to others.
 */
export default async function setup(): Promise<() => Promise<void>> {
  await buildDesktopWhenStale();
  const { executablePath, env } = await findBrowser();
  const server = await chromium.launchServer({
    executablePath,
    env: { ...process.env, ...env } as Record<string, string>,
    args: QUIET_FLAGS,
    host: '127.0.0.1',
  });
  process.env.PAYDESK_TEST_BROWSER = server.wsEndpoint();
  return async () => {
    delete process.env.PAYDESK_TEST_BROWSER;
    await server.close();
  };
}
