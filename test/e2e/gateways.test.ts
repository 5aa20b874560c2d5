import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildServiceWhenStale } from '../../scripts/build-when-stale.ts';
import { onReady, spawnServer } from '../../scripts/child.ts';
import { type Peer, startSimulator } from '../../simulators/index.ts';
import { freePort } from '../support/free-port.ts';
import { expectAccessible } from './accessibility.ts';
import { ApiSession } from './api-session.ts';
import { test as base, expect, type Service } from './fixtures.ts';
import { GatewaysPage } from './pages/gateways-page.ts';
import { SignInPage } from './pages/sign-in-page.ts';

/** The server of a live account, and the processor simulators on this computer. */
interface Live extends Service {
  /** As the owner. */
  readonly api: ApiSession;
  readonly nmi: Peer;
  readonly authorizeNet: Peer;
}

/** A merchant on the gateways screen. */
interface Shop {
  readonly gateways: GatewaysPage;
  readonly at: string;
  /** Adds an NMI account through the API. */
  added(name: string, more?: object): Promise<{ id: string }>;
}

const EMAIL = 'owner@live.example';
const PASSWORD = 'three loaves rising slowly';
let shops = 0;

async function startLive(): Promise<Live & { readonly stop: () => Promise<void> }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'paydesk-live-'));
  const child = spawnServer(['--data-dir', dataDir, '--port', '0', '--log-level', 'error'], { program: await buildServiceWhenStale() });
  const baseUrl = await new Promise<string>((resolve) => onReady(child, (ready) => resolve(ready.baseUrl)));
  const setUp = {
    businessName: 'Live Shop',
    currency: 'USD',
    timezone: 'America/New_York',
    environment: 'live',
    email: EMAIL,
    password: PASSWORD,
  };
  const answer = await fetch(`${baseUrl}/api/v1/setup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(setUp),
  });
  const { data } = (await answer.json()) as { data: { tenantId: string } };
  const service = { baseUrl, tenantId: data.tenantId, adminEmail: EMAIL, adminPassword: PASSWORD };
  const api = await ApiSession.open(service);
  const [nmi, authorizeNet] = [await startSimulator('nmi'), await startSimulator('authorizenet')];
  const stop = async () => {
    child.kill('SIGTERM');
    await once(child, 'exit');
    await Promise.all([nmi.stop(), authorizeNet.stop()]);
    await rm(dataDir, { recursive: true, force: true });
  };
  return { ...service, api, nmi, authorizeNet, stop };
}

/** Started by the first test. A fixture of the worker would need a worker for this file alone, after all others. */
let started: ReturnType<typeof startLive> | undefined;

const test = base.extend<{ live: Live; shop: Shop }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's needs from this pattern.
  live: async ({}, use) => {
    started ??= startLive();
    await use(await started);
  },

  baseURL: ({ live }, use) => use(live.baseUrl),

  shop: async ({ page, live: { api, nmi, tenantId } }, use) => {
    shops += 1;
    const { merchantId } = await api.post<{ merchantId: string }>('/merchants', { name: `Shop ${process.pid} ${shops}` });
    // Each test has its own user, because requests are counted per user and one user's limit is too low for all tests.
    const person = { email: `shop${shops}@live.example`, role: 'owner', password: PASSWORD };
    await api.post(`/merchants/${merchantId}/users`, person);
    // An owner acts for every merchant; the screens use the one that was selected last.
    await page.addInitScript(([name, value]) => localStorage.setItem(name, value), [`paydesk.merchant.${tenantId}`, merchantId] as const);
    await page.goto('/#/sell');
    await new SignInPage(page).enter(person.email, PASSWORD);
    await expect(page.getByText('No payment gateway is set up yet.')).toBeVisible();
    const at = `/merchants/${merchantId}/gateways`;
    const account = { type: 'nmi', mode: 'test', origin: nmi.origin, credentials: nmi.credentials, currentPassword: PASSWORD };
    await use({
      gateways: new GatewaysPage(page),
      at,
      added: (name, more = {}) => api.post<{ id: string }>(at, { ...account, name, ...more }),
    });
    nmi.faults();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    // An open screen would send requests to a stopped server.
    await page.close();
  },
});

test.afterAll(async () => (await started)?.stop());

test('leads a live merchant without a gateway from the terminal to the gateway settings, and adds a gateway by keyboard', async ({
  page,
  live,
  shop: { gateways },
  strokes,
}) => {
  const { keyboard } = page;
  const note = page.getByText('No payment gateway is set up yet.');
  await expect(note).toBeVisible();
  await page.getByRole('link', { name: 'Add a gateway' }).press('Enter');
  await expect(gateways.add).toBeEnabled();
  await strokes.reset();
  await gateways.add.press('Enter');
  await expect(gateways.dialog.getByRole('radio', { name: /Authorize\.Net/ })).toBeFocused();
  await keyboard.press('Tab');
  await keyboard.type('peer-login');
  await keyboard.press('Tab');
  await keyboard.type('PeerKey123456789');
  await expect(gateways.secret('Transaction key')).toHaveAttribute('type', 'password');
  await keyboard.press('Tab');
  await keyboard.press('Enter');
  await expect(gateways.secret('Transaction key')).toHaveAttribute('type', 'text');
  await keyboard.press('Tab');
  await keyboard.press('ArrowRight');
  await keyboard.press('Tab');
  await keyboard.type(live.authorizeNet.origin);
  await expect(gateways.dialog).toContainText('Captures are sent at 22:30; until then they can be canceled.');
  await keyboard.press('Enter');
  await expect(gateways.dialog).toContainText('Peer Books is the merchant name at Authorize.Net.');
  await expect(gateways.dialog.getByRole('button', { name: 'Done' })).toBeFocused();
  await keyboard.press('Enter');
  expect(strokes.clicks()).toBe(0);
  const entry = gateways.entry('Authorize.Net');
  await expect(entry).toContainText('TEST');
  await expect(entry).toContainText('Account checked');
  await expect(entry).toContainText('Peer Books; accepts USD');
  await expect(entry.locator('[data-state=ok]').first()).toContainText('Responding');
  expect(await page.content()).not.toContain('PeerKey123456789');
  await page.goto('/#/sell');
  await expect(note).toHaveCount(0);
});

test('shows errors of the form and the processor at their focused fields and saves nothing @full', async ({
  live,
  shop: { gateways, at },
  faults,
}) => {
  faults.expect(/400/);
  const { nmi, api } = live;
  await gateways.open();
  await gateways.add.press('Enter');
  await gateways.fillNmi(nmi, ' ');
  await gateways.save.press('Enter');
  const key = gateways.secret('Security key');
  await expect(key).toBeFocused();
  await expect(gateways.dialog).toContainText('Security key is required.');
  await key.fill('k'.repeat(70));
  await expect(gateways.dialog).toContainText('At most 64 characters; you entered 70.');
  await key.fill('not-the-key');
  await key.press('Enter');
  await expect(key).toHaveAttribute('aria-invalid', 'true');
  await expect(key).toBeFocused();
  expect((await api.read(at)).data).toEqual([]);
  await key.fill(nmi.credentials.securityKey ?? '');
  const host = gateways.field('Simulator or reseller host (optional)');
  await host.fill('https://secure.example.com/login');
  await host.press('Enter');
  await expect(host).toHaveAttribute('aria-invalid', 'true');
  await expect(host).toBeFocused();
  await host.fill(nmi.origin);
  const currency = gateways.dialog.getByRole('combobox', { name: 'Currency' });
  await currency.fill('EUR');
  await currency.press('Enter');
  await gateways.save.press('Enter');
  await expect(gateways.dialog.getByText('The account accepts only USD.')).toHaveCount(1);
  await expect(currency).toBeFocused();
  expect((await api.read(at)).data).toEqual([]);
});

test('saves a gateway as unchecked if the processor is unavailable, and checks it when the processor answers @full', async ({
  shop: { gateways },
  page,
}) => {
  const port = await freePort();
  const away = await startSimulator('nmi', { port });
  await away.stop();
  await gateways.open();
  await gateways.add.press('Enter');
  await gateways.fillNmi(away, away.credentials.securityKey ?? '');
  await gateways.save.press('Enter');
  await expect(gateways.dialog).toContainText('Saved, but not checked.');
  await page.keyboard.press('Enter');
  await expect(gateways.entry('NMI')).toContainText('Account not checked');
  await expect(gateways.entry('NMI')).toContainText('No response yet');
  const back = await startSimulator('nmi', { port });
  await gateways.act('Check', 'NMI').press('Enter');
  await expect(gateways.entry('NMI')).toContainText('Account checked');
  await expect(gateways.entry('NMI')).toContainText('Corner Shop & Sons');
  await back.stop();
});

test('shows that the processor is being checked, and stops waiting when the form is closed @full', async ({
  live,
  shop: { gateways },
  page,
}) => {
  live.nmi.faults([{ do: 'delay', ms: 8_000 }]);
  await gateways.open();
  await gateways.add.press('Enter');
  await gateways.fillNmi(live.nmi, live.nmi.credentials.securityKey ?? '', 'Slow one');
  await gateways.save.press('Enter');
  await expect(gateways.dialog.getByRole('status')).toContainText('Checking with NMI… This may take a minute.');
  await gateways.dialog.getByRole('button', { name: 'Stop waiting' }).press('Enter');
  await expect(gateways.dialog).toHaveCount(0);
  await expect(page.getByText('Stopped waiting.')).toBeVisible();
  // Problems that the processor accepts are reported by the service.
  await expect(gateways.entry('Slow one')).toContainText('Account checked');
});

test('never shows stored credentials, and checks with the processor after they are replaced but not after renaming', async ({
  live,
  shop: { gateways, added },
  page,
  faults,
}) => {
  faults.expect(/400/);
  const { nmi } = live;
  await added('Till');
  await gateways.open();
  const askedBefore = JSON.stringify(nmi.requestCounts());
  await gateways.act('Edit', 'Till').press('Enter');
  await expect(gateways.dialog).toContainText('Security key: stored encrypted, never shown');
  await gateways.field('Name').fill('Front till');
  await gateways.field('Name').press('Enter');
  await expect(gateways.entry('Front till')).toBeVisible();
  expect(JSON.stringify(nmi.requestCounts())).toBe(askedBefore);
  await gateways.act('Edit', 'Front till').press('Enter');
  await gateways.dialog.getByRole('button', { name: 'Replace…' }).press('Enter');
  const key = gateways.secret('Security key');
  await expect(key).toBeFocused();
  await expect(key).toHaveValue('');
  await page.keyboard.type('not-the-key');
  await page.keyboard.press('Enter');
  await expect(key).toHaveAttribute('aria-invalid', 'true');
  await key.fill(nmi.credentials.securityKey ?? '');
  await page.keyboard.press('Enter');
  await expect(gateways.dialog).toContainText('Corner Shop & Sons is the merchant name at NMI.');
});

test('keeps the field open while a stored credential is entered again for another host @full', async ({
  live,
  shop: { gateways, added },
  page,
  faults,
}) => {
  faults.expect(/400/);
  await added('Till');
  await gateways.open();
  await gateways.act('Edit', 'Till').press('Enter');
  const host = gateways.field('Simulator or reseller host (optional)');
  await host.fill(live.authorizeNet.origin);
  await host.press('Enter');
  const key = gateways.secret('Security key');
  await expect(key).toBeFocused();
  await expect(key).toHaveAttribute('aria-invalid', 'true');
  await page.keyboard.type('a new key');
  await expect(key).toHaveValue('a new key');
  await expect(key).toBeFocused();
});

test('the terminal states that no money moves while every active gateway is in test mode @full', async ({ shop: { added }, page }) => {
  await added('Main');
  await added('Off', { status: 'disabled' });
  await page.goto('/#/sell');
  const note = page.getByText('Test gateway: no money moves.');
  await expect(note).toBeVisible();
  await page.route('**/merchants/*/gateways?*', async (route) => {
    const answer = await route.fetch();
    const body = (await answer.json()) as { data: { name: string; settings: object }[] };
    for (const one of body.data) if (one.name === 'Main') one.settings = { ...one.settings, mode: 'live' };
    await route.fulfill({ response: answer, json: body });
  });
  await page.reload();
  await expect(page.getByRole('button', { name: /^Charge/ })).toBeVisible();
  await expect(note).toHaveCount(0);
});

test('allows editing a gateway only after the processors are loaded; removal explains what remains, and its refusal the reason @full', async ({
  shop: { gateways, added },
  page,
  faults,
}) => {
  faults.expect(/409|500/);
  await added('Till');
  await page.route('**/gateway-types', (route) =>
    route.fulfill({ status: 500, json: { success: false, error: { code: 'INTERNAL_ERROR', message: 'Broken.' } } }),
  );
  await page.goto('/#/settings/gateways');
  await expect(gateways.entry('Till')).toBeVisible();
  await expect(gateways.act('Edit', 'Till')).toBeDisabled();
  await page.unroute('**/gateway-types');
  await page.reload();
  await expect(gateways.act('Edit', 'Till')).toBeEnabled();
  let details = { reason: 'payments_open', held: 2, unconfirmed: 0 };
  await page.route('**/gateways/gw_*', (route) => {
    const error = { code: 'RESOURCE_CONFLICT', message: '2 payments are not ended yet.', details };
    return route.fulfill({ status: 409, json: { success: false, error } });
  });
  await gateways.act('Remove', 'Till').press('Enter');
  await expect(gateways.dialog).toContainText('Keep its key valid at the processor as long as refunds are possible.');
  await gateways.dialog.getByRole('button', { name: 'Remove Till' }).press('Enter');
  await expect(gateways.entry('Till')).toContainText('Pending operations finish automatically: captures at 22:30');
  await expect(gateways.entry('Till').getByRole('link')).toHaveCount(0);
  details = { reason: 'payments_open', held: 0, unconfirmed: 1 };
  await gateways.act('Remove', 'Till').press('Enter');
  await gateways.dialog.getByRole('button', { name: 'Remove Till' }).press('Enter');
  await expect(gateways.entry('Till').getByRole('link', { name: 'View unconfirmed payments' })).toHaveAttribute(
    'href',
    /unconfirmed-payments/,
  );
});

test('asks before disabling the last active gateway; refuses to remove a gateway that a rule names, with a link to the rules @full', async ({
  live: { api },
  shop: { gateways, at, added },
  page,
  faults,
}) => {
  faults.expect(/409/);
  await added('Main');
  await added('Spare');
  await gateways.open();
  await gateways.act('Disable', 'Spare').press('Enter');
  await expect(gateways.entry('Spare')).toContainText('Disabled');
  await gateways.act('Disable', 'Main').press('Enter');
  await expect(gateways.dialog).toContainText('No other gateway is active: all payments are rejected until one is.');
  await page.keyboard.press('Escape');
  await expect(gateways.entry('Main')).toContainText('Active');

  await api.put(at.replace('gateways', 'gateway-routing'), { rules: [{ default: 'Spare' }] });
  await gateways.act('Remove', 'Spare').press('Enter');
  await gateways.dialog.getByRole('button', { name: 'Remove Spare' }).press('Enter');
  await expect(gateways.entry('Spare')).toContainText('Rule 1 of the routing rules uses this gateway');
  await expect(gateways.entry('Spare').getByRole('link', { name: 'View rules' })).toHaveAttribute('href', /routing/);
  await api.put(at.replace('gateways', 'gateway-routing'), { rules: [] });
  await gateways.act('Remove', 'Spare').press('Enter');
  await gateways.dialog.getByRole('button', { name: 'Remove Spare' }).press('Enter');
  await expect(gateways.entry('Spare')).toHaveCount(0);
  await expect(gateways.add).toBeFocused();
});

test('shows since when a gateway is unavailable and the next probe; the simulation explains why it is skipped @full', async ({
  shop: { gateways, added },
  page,
}) => {
  const at = '2026-03-05T15:42:00.000Z';
  await page.route('**/merchants/*/gateways?*', async (route) => {
    const answer = await route.fetch();
    const body = (await answer.json()) as { data: { name: string; health: object }[] };
    for (const one of body.data)
      if (one.name === 'Away')
        one.health = {
          ...one.health,
          state: 'open',
          since: at,
          failures: 3,
          nextProbeAt: '2026-03-05T15:43:00.000Z',
          lastReason: 'ECONNREFUSED',
        };
    await route.fulfill({ response: answer, json: body });
  });
  await added('Main');
  await added('Away');
  await added('Off', { status: 'disabled' });
  await gateways.open();
  await expect(gateways.entry('Away')).toContainText('Not responding');
  await expect(gateways.entry('Away')).toContainText('since Mar 5, 10:42 AM, next check at Mar 5, 10:43 AM');
  await page.goto('/#/settings/routing');
  await page.getByLabel('Amount').fill('12.00');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('region', { name: 'Routing simulation' })).toContainText('goes to Main (no rule decides)');
  await expect(page.getByRole('region', { name: 'Routing simulation' })).toContainText('Off: skipped. This gateway is disabled.');
});

test('the gateway list, form and result have no accessibility fault in either color scheme, also on a narrow screen @full', async ({
  live,
  shop,
  page,
}) => {
  const { gateways, added } = shop;
  await gateways.open();
  await expectAccessible(page, 'without a gateway');
  await added('Main');
  await added('Off', { status: 'disabled' });
  await expect(gateways.entry('Off')).toBeVisible();
  await expectAccessible(page, 'the list');
  await page.setViewportSize({ width: 640, height: 800 });
  await gateways.add.press('Enter');
  await gateways.save.press('Enter');
  await expectAccessible(page, 'the form with faults');
  await gateways.fillNmi(live.nmi, live.nmi.credentials.securityKey ?? '');
  await gateways.save.press('Enter');
  await expect(gateways.dialog).toContainText('Corner Shop & Sons');
  await expectAccessible(page, 'the answer');
  await page.keyboard.press('Enter');
  await expect(page.locator('body')).toHaveJSProperty('scrollWidth', 640);
  await expectAccessible(page, 'the narrow list');
});
