import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { expectAccessible } from './accessibility.ts';
import { expect, test } from './fixtures.ts';

const RED_WITHIN_MS = 10_000;
/** Longest time for which the end of an outage is waited out. */
const REACH_HOLD_SECONDS = 120;
/** A digit sequence longer than any card number. */
const CARD_NUMBER = /(?<![\d.])\d(?:[ -]?\d){12,18}(?!\d)/;

async function expectAccessibleInBoth(page: Page, where: string): Promise<void> {
  await expectAccessible(page, where);
}

/** Sets the sandbox gateway like an integrator, with the session of the page. */
async function gatewayMode(page: Page, tenantId: string, mode: string): Promise<void> {
  const { request } = page.context();
  const headers = await headersOf(page, tenantId);
  const answer = await request.post('/api/v1/sandbox/gateway', { data: { mode }, headers });
  expect(answer.ok()).toBe(true);
  // Cards can be charged again once the gateway has answered for a while; other tests do not wait for it.
  if (mode === 'normal') await request.post('/api/v1/sandbox/clock', { data: { advanceSeconds: REACH_HOLD_SECONDS }, headers });
}

/** Headers that the page sends with its own requests. */
async function headersOf(page: Page, tenantId: string): Promise<Record<string, string>> {
  const asked = page.waitForRequest((request) => request.url().endsWith('/api/v1/system/status'));
  const { authorization = '' } = await (await asked).allHeaders();
  return { authorization, 'x-tenant-id': tenantId };
}

test('shows an unavailable gateway as a problem within ten seconds with explanation and action; keys open backups, log and diagnostics @full', async ({
  signedIn: page,
  service,
}) => {
  await page.goto('/#/system');
  await expect(page.getByRole('heading', { name: 'System' })).toBeFocused();
  const gateways = page.getByRole('list', { name: 'Status' }).getByRole('listitem').filter({ hasText: 'Gateways' });
  await expect(gateways.locator('[data-state="ok"]')).toBeVisible();
  await gatewayMode(page, service.tenantId, 'down');
  await expect(gateways.locator('[data-state="problem"]')).toBeVisible({ timeout: RED_WITHIN_MS });
  await expect(gateways).toContainText('does not respond because the sandbox simulates an outage');
  await expectAccessibleInBoth(page, 'status');
  await gateways.getByRole('link', { name: 'View gateways' }).press('Enter');
  await expect(page.getByRole('link', { name: 'Gateways', exact: true })).toHaveAttribute('aria-current', 'page');
  await page.goto('/#/system');
  await gatewayMode(page, service.tenantId, 'normal');
  await expect(gateways.locator('[data-state="ok"]')).toBeVisible({ timeout: RED_WITHIN_MS });

  await page.keyboard.press('b');
  await expect(page.getByRole('tab', { name: 'Backup' })).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByRole('list', { name: 'Backups' }).getByRole('listitem').first()).toContainText(
    /Restore check passed: [\d,]+ transactions/,
    {
      timeout: 60_000,
    },
  );
  await page.keyboard.press('Control+Shift+D');
  const preview = page.getByRole('region', { name: 'File contents' });
  await expect(preview).toContainText('"gateways"');
  await expectAccessibleInBoth(page, 'diagnostics');
  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save file' }).press('Enter');
  const saved = await readFile((await (await saving).path()) ?? '', 'utf8');
  expect(saved).toBe(await preview.textContent());
  expect(saved).not.toMatch(CARD_NUMBER);
  expect(saved).not.toMatch(/"(password|token|secret|authorization)"/i);
  await page.getByRole('tab', { name: 'Keys and recovery' }).click();
  await expect(page.getByText('Not saved yet', { exact: true })).toBeVisible();
  await expectAccessibleInBoth(page, 'keys');
  await page.getByRole('tab', { name: 'Status' }).click();
  await expect(page.getByText(/standard error/)).toBeVisible();
  for (const name of ['Updates', 'Logs', 'Application']) await expect(page.getByRole('tab', { name })).toHaveCount(0);
});

test('rehearses a failover by keyboard, shows its progress while no primary answers, and its certificate @full', async ({
  signedIn: page,
  faults,
}) => {
  faults.expect(/503/);
  await page.goto('/#/system/database');
  await expect(page.getByText('This installation uses SQLite.')).toBeVisible();
  const running = {
    rehearsalId: 'reh_1',
    startedAt: '2026-11-20T09:00:00.000Z',
    phase: 'switching',
    acknowledged: 24,
    sinceLastMs: 300,
    command: null,
  };
  const certificate = {
    ...{ rehearsalId: 'reh_1', auditId: 'aud_1', actor: 'owner@example.com', result: 'passed', reason: null, carriedOutBy: 'patroni' },
    ...{ startedAt: running.startedAt, endedAt: '2026-11-20T09:00:09.000Z', acknowledged: 52, usualGapMs: 300, gapMs: 1_693 },
    ...{ lost: 0, doubled: 0, unconfirmed: 0, fromServer: '10.0.0.1:5432', fromTimeline: 1, toServer: '10.0.0.2:5432', toTimeline: 2 },
    ...{ serverVersion: '17.6', synchronousStandbys: 1 },
  };
  const idle = { refusal: null, patroniHosts: ['10.0.0.1:8008'], command: 'patronictl', running: null, certificates: [] };
  let state: 'idle' | 'running' | 'down' | 'finished' = 'idle';
  await page.route('**/api/v1/system/failover-rehearsal', async (route) => {
    if (route.request().method() === 'POST') state = 'running';
    if (state === 'down')
      return route.fulfill({
        status: 503,
        json: { success: false, error: { code: 'SERVICE_UNAVAILABLE', message: 'The database is not responding.' } },
      });
    const overview = {
      idle,
      running: { ...idle, running },
      finished: { ...idle, certificates: [certificate] },
    }[state];
    return route.fulfill({ json: { success: true, data: route.request().method() === 'POST' ? running : overview } });
  });
  await page.reload();
  await page.getByRole('button', { name: 'Rehearse a failover' }).press('Enter');
  await page.getByRole('button', { name: 'Replace the primary' }).press('Enter');
  await expect(page.getByText('Waiting until another server is the primary.')).toBeVisible();
  state = 'down';
  await expect(page.getByText('No primary is available at the moment.')).toBeVisible();
  await expectAccessibleInBoth(page, 'rehearsal');
  state = 'finished';
  await expect(page.getByRole('list', { name: 'Certificates' })).toContainText('Gap: 1.7 s · Sales: 52 · Lost: 0 · Doubled: 0');
  await expect(page.getByText('from 10.0.0.1:5432 to 10.0.0.2:5432')).toBeVisible();
});

test('in the desktop application: filters the log, saves diagnostics, resets the chosen port, and shows a refused restart @full', async ({
  page,
  service,
}) => {
  await page.addInitScript(beDesktop);
  await page.goto('/');
  await page.getByLabel('Email').fill(service.adminEmail);
  await page.getByLabel('Password', { exact: true }).fill(service.adminPassword);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('link', { name: 'System', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'System', level: 1 })).toBeVisible();
  await page.keyboard.press('l');
  const lines = page.getByRole('list', { name: 'Log' }).getByRole('listitem');
  await expect(lines).toHaveText([/the disk is nearly full/, /answered/]);
  await expectAccessibleInBoth(page, 'log');
  await page.getByRole('button', { name: 'Level' }).click();
  await page.getByRole('menuitemradio', { name: 'Errors and warnings' }).click();
  await expect(lines).toHaveCount(1);
  await page.getByRole('searchbox', { name: 'Search', exact: true }).fill('nothing like it');
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(lines).toHaveCount(2);
  await page.getByRole('tab', { name: 'Diagnostics' }).click();
  await expect(page.getByRole('region', { name: 'File contents' })).toContainText('"versions"');
  await page.getByRole('button', { name: 'Save file' }).click();
  await expect(page.getByRole('main').getByText('The file could not be written: the disk is full')).toBeVisible();
  await page.getByRole('tab', { name: 'Updates' }).click();
  await expect(page.getByText('Version 9.9.9 installs when you quit.')).toBeVisible();
  await page.getByRole('button', { name: 'Restart now' }).click();
  await expect(page.getByRole('main').getByText('A payment is being sent. Try again in a moment.')).toBeVisible();
  await expectAccessibleInBoth(page, 'updates');
  await page.getByRole('tab', { name: 'Application' }).click();
  await expect(page.getByText('The API uses port 4999')).toBeVisible();
  await expectAccessibleInBoth(page, 'application');
  await page.getByRole('button', { name: 'Use default port after restart' }).click();
  await expect(page.getByText('The API uses port 4999')).toHaveCount(0);
});

/** Runs in the page: the parts of the desktop application that this screen uses. */
function beDesktop(): void {
  const nothing = () => () => undefined;
  const settings = { closeToTray: null as boolean | null, startAtLogin: false as boolean | null, port: 4999 as number | null };
  const update = { status: 'ready', version: '0.0.0', next: '9.9.9', notes: 'Faster.' };
  Reflect.set(window, 'paydesk', {
    version: '0.0.0',
    onCommand: nothing,
    onUpdate: nothing,
    onPrintQueue: nothing,
    notify: async () => undefined,
    holdRestart: async () => undefined,
    setLanguage: async () => undefined,
    listPrinters: async () => [],
    readPrinter: async () => null,
    readPrintQueue: async () => [],
    readSettings: async () => ({ ...settings }),
    changeSettings: async (change: object) => ({ ...Object.assign(settings, change) }),
    readLog: async () => [
      { at: '2026-11-20T09:00:00.000Z', level: 'info', text: 'answered', detail: '{"status":200}' },
      { at: '2026-11-20T09:00:01.000Z', level: 'warn', text: 'the disk is nearly full', detail: '' },
    ],
    openLogFolder: async () => undefined,
    openProvider: async () => undefined,
    makeDiagnostics: async () => ({ name: 'paydesk-diagnostics-20261120-0900.json', text: '{"versions":{}}\n' }),
    saveDiagnostics: async () => ({ saved: false, problem: 'The file could not be written: the disk is full' }),
    readUpdate: async () => update,
    checkForUpdate: async () => update,
    restartToUpdate: async () => ({ restarting: false, problem: 'A payment is being sent. Try again in a moment.' }),
  });
}
