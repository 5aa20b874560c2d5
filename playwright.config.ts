import { defineConfig } from '@playwright/test';
import { writeClientsWhenStale } from './scripts/client-types.ts';
import { keepTemporaryFilesInMemory } from './test/runner/temporary-folder.ts';
import { findBrowser, QUIET_FLAGS } from './test/support/browser.ts';
import { cleanEnvironment } from './test/support/clean-environment.ts';
import { keepCompiled } from './test/support/compile-cache.ts';

keepCompiled();
keepTemporaryFilesInMemory();
await writeClientsWhenStale();
cleanEnvironment();

const browser = await findBrowser();
const { PAYDESK_TEST_REPORT, PAYDESK_TEST_TRACE } = process.env;
/** A trace of each step costs nearly as much as the tests: what failed is looked at again with PAYDESK_TEST_TRACE=1. */
const isTraced = PAYDESK_TEST_TRACE === '1';

export default defineConfig({
  testDir: 'test/e2e',
  testMatch: '**/*.test.ts',
  globalSetup: './test/e2e/global-setup.ts',
  outputDir: 'test-results/e2e',
  // Ends a test that hangs. The longest take half a minute on a machine with nothing else to do.
  timeout: 180_000,
  // Far above what a busy machine needs for a screen.
  expect: { timeout: 30_000 },
  forbidOnly: true,
  retries: 0,
  workers: 2,
  fullyParallel: false,
  reporter: PAYDESK_TEST_REPORT ? [['list'], ['json', { outputFile: PAYDESK_TEST_REPORT }]] : 'list',
  use: {
    browserName: 'chromium',
    headless: true,
    viewport: { width: 1280, height: 800 },
    locale: 'en-US',
    timezoneId: 'America/New_York',
    // What moves is not waited for; a test that is about motion asks for it.
    contextOptions: { reducedMotion: 'reduce' },
    actionTimeout: 30_000,
    screenshot: 'only-on-failure',
    trace: isTraced ? 'retain-on-failure' : 'off',
    launchOptions: { executablePath: browser.executablePath, args: QUIET_FLAGS, env: { ...process.env, ...browser.env } },
  },
});
