import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { expectAccessible } from './accessibility.ts';
import { dateField, typeDate } from './date-entry.ts';
import { expect, type Service, test } from './fixtures.ts';

interface Entry {
  readonly id: string;
  readonly actor: string;
  readonly before: Record<string, unknown> | null;
  readonly after: Record<string, unknown> | null;
  readonly requestId: string;
}

interface SignedIn {
  readonly api: <Data>(method: string, path: string, body?: unknown) => Promise<{ status: number; requestId: string; data: Data }>;
  readonly merchantId: string;
}

interface Account {
  readonly email: string;
  readonly password: string;
}

/** Returns the API of a user in a separate session. */
async function signIn({ baseUrl, tenantId }: Service, { email, password }: Account): Promise<SignedIn> {
  const headers: Record<string, string> = { 'X-Tenant-ID': tenantId };
  const api: SignedIn['api'] = async (method, path, body) => {
    const response = await fetch(`${baseUrl}/api/v1${path}`, {
      method,
      headers: { ...headers, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const { data } = (await response.json()) as { data: never };
    return { status: response.status, requestId: response.headers.get('x-request-id') ?? '', data };
  };
  const { data } = await api<{ token: string }>('POST', '/auth/login', { email, password });
  headers.Authorization = `Bearer ${data.token}`;
  const me = await api<{ merchants: { merchantId: string }[] }>('GET', '/auth/me');
  return { api, merchantId: me.data.merchants[0]?.merchantId ?? '' };
}

const admins = new Map<string, Promise<SignedIn>>();

/** One sign-in serves the tests of a worker, because sign-ins are limited by address. */
function asAdmin(service: Service): Promise<SignedIn> {
  const admin = admins.get(service.baseUrl) ?? signIn(service, { email: service.adminEmail, password: service.adminPassword });
  admins.set(service.baseUrl, admin);
  return admin;
}

async function newUser(service: Service, name: string): Promise<Account> {
  const { api, merchantId } = await asAdmin(service);
  const account = { email: `${name}@demo.example`, password: `the password of ${name}` };
  await api('POST', `/merchants/${merchantId}/users`, { ...account, role: 'cashier' });
  return account;
}

const gridOf = (page: Page) => page.getByRole('grid', { name: 'Audit log' });
const rowsOf = (page: Page) => gridOf(page).locator('[role=row][data-id]');
const verdictOf = (page: Page) => page.getByRole('alert');

test('writes one entry with old and new values and the request ID for a change; closing the entry restores the focus', async ({
  signedIn: page,
  service,
}) => {
  const { api, merchantId } = await asAdmin(service);
  await api('PUT', `/merchants/${merchantId}/branding`, { primaryColor: '#101010' });
  const change = await api('PUT', `/merchants/${merchantId}/branding`, { primaryColor: '#123456' });
  const { data: entries } = await api<Entry[]>('GET', `/audit-logs?requestId=${change.requestId}`);
  expect(entries).toHaveLength(1);
  expect(entries[0]).toMatchObject({
    actor: service.adminEmail,
    before: { primaryColor: '#101010' },
    after: { primaryColor: '#123456' },
    requestId: change.requestId,
  });

  await page.goto(`/#/audit?requestId=${change.requestId}`);
  await expect(page.getByLabel('Request ID', { exact: true })).toHaveValue(change.requestId);
  await expect(rowsOf(page)).toHaveCount(1);
  const cell = gridOf(page).getByRole('gridcell', { name: 'Branding updated' });
  await cell.focus();
  await page.keyboard.press('Enter');
  const drawer = page.getByRole('dialog', { name: 'Audit entry' });
  await expect(drawer.getByRole('heading', { name: 'Branding updated' })).toBeFocused();
  await expect(drawer.getByText('branding.updated', { exact: true })).toBeVisible();
  await expect(drawer.getByRole('row', { name: 'primaryColor #101010 #123456' })).toBeVisible();
  await expect(drawer.locator('del')).toHaveText('#101010');
  await expect(drawer.locator('ins')).toHaveText('#123456');
  await expect(drawer).toContainText(change.requestId);
  await expect(drawer.getByRole('link', { name: `merchants/${merchantId}/branding` })).toHaveAttribute('href', '#/settings/branding');
  await page.keyboard.press('Escape');
  await expect(drawer).toHaveCount(0);
  await expect(gridOf(page).locator(`[data-id="${entries[0]?.id}"] [data-field=at]`)).toBeFocused();
});

test('stores the filter entered by keyboard in the URL, keeps it after a reload, and refuses a start date after the end date @full', async ({
  signedIn: page,
  service,
}) => {
  const { api, merchantId } = await asAdmin(service);
  await api('PUT', `/merchants/${merchantId}/branding`, { accentColor: '#0A0B0C' });
  await page.goto('/#/audit');
  await expect(rowsOf(page).first()).toBeVisible();
  await page.keyboard.press('/');
  await expect(page.getByRole('searchbox', { name: 'User' })).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.type('branding.updated');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/#\/audit\?action=branding\.updated$/);
  const dids = gridOf(page).locator('[role=gridcell][data-field=action]');
  await expect(dids.filter({ hasNotText: 'Branding updated' })).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole('searchbox', { name: 'Action' })).toHaveValue('branding.updated');
  await expect(dids.first()).toHaveText('Branding updated');
  await expect(dids.filter({ hasNotText: 'Branding updated' })).toHaveCount(0);

  await page.getByRole('button', { name: 'Period' }).click();
  await typeDate(dateField(page, 'From'), '2026-05-02');
  await typeDate(dateField(page, 'To'), '2026-05-01');
  await page.keyboard.press('Enter');
  await expect(page.getByText('The end date is before the start date')).toBeVisible();
  await expect(page).not.toHaveURL(/startDate/);
  await typeDate(dateField(page, 'To'), '2026-05-03');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/startDate=2026-05-02&endDate=2026-05-03/);
  await expect(page.getByText('No match')).toBeVisible();
  await page.getByRole('search').getByRole('button', { name: 'Clear filters' }).click();
  await expect(page).toHaveURL(/#\/audit$/);
  await expect(rowsOf(page).first()).toBeVisible();
});

test('reports a valid audit chain; for a broken one, names the first invalid entry and the reason and keeps the list @full', async ({
  signedIn: page,
}) => {
  await page.goto('/#/audit');
  const verify = page.getByRole('button', { name: 'Verify chain' });
  await verify.click();
  await expect(verdictOf(page)).toHaveText(/The log is intact: [\d,]+ entries, none changed/);
  const broken = { valid: false, entries: 812, firstBadId: 'aud_bad', reason: 'its content was changed' };
  await page.route('**/api/v1/audit-logs/verify', (route) => route.fulfill({ json: { success: true, data: broken } }));
  await verify.click();
  await expect(verdictOf(page)).toHaveText(/The chain of 812 entries is broken at entry aud_bad: its content was changed\./);
  await expect(verdictOf(page)).toHaveClass(/colorError/);
  await expectAccessible(page, 'a broken chain');
  await gridOf(page).locator('[data-id] [data-field=action]').first().click();
  await expect(page.getByRole('dialog', { name: 'Audit entry' })).toBeVisible();
});

test('sends the last entry of the log to an address that an owner enters @full', async ({ signedIn: page, service, faults }) => {
  faults.expect(/400/);
  const { api } = await asAdmin(service);
  await page.goto('/#/audit');
  const open = page.getByRole('button', { name: 'Daily email' });
  await open.click();
  const dialog = page.getByRole('dialog', { name: 'Daily email' });
  await dialog.getByLabel('Email').fill('nobody');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByText(/must be an email address/)).toBeVisible();
  await expectAccessible(page, 'the address of the daily email');
  await dialog.getByLabel('Email').fill('auditor@firm.example');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toHaveCount(0);
  await expect.poll(async () => (await api<{ lastSentAt: string | null }>('GET', '/audit-logs/anchors')).data.lastSentAt).not.toBeNull();
  await open.click();
  await expect(dialog.getByText(/Last sent on/)).toBeVisible();
  await expect(dialog.getByLabel('Email')).toHaveValue('auditor@firm.example');
});

test('exports every entry of the filter as CSV @full', async ({ signedIn: page }) => {
  await page.goto('/#/audit?action=session.started');
  await expect(gridOf(page).getByRole('gridcell', { name: 'Signed in', exact: true }).first()).toBeVisible();
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Export CSV' }).click()]);
  expect(download.suggestedFilename()).toBe('audit-log.csv');
  const [header, ...rows] = (await readFile(await download.path(), 'utf8')).trimEnd().split('\r\n');
  expect(header).toBe('\uFEFFid,at,actor,action,resource,before,after,ip,requestId,hash,previousHash,localDate');
  expect(rows.length).toBeGreaterThan(0);
  for (const row of rows) expect(row).toContain(',session.started,');
  await expect(page.getByText(/^\d+ entr(y|ies) exported$/)).toBeVisible();
});

test('ends a session with the key X so that its next request fails, and marks the current session @full', async ({
  signedIn: page,
  service,
}) => {
  const account = await newUser(service, 'evening');
  const evening = await signIn(service, account);
  expect((await evening.api('GET', '/auth/me')).status).toBe(200);
  await page.goto('/#/audit/sessions');
  await expect(page.getByText('This session')).toHaveCount(1);
  await page.getByRole('gridcell', { name: account.email }).focus();
  await page.keyboard.press('x');
  await expect(page.getByRole('dialog', { name: `Revoke the session of ${account.email}?` })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('gridcell', { name: account.email })).toHaveCount(0);
  await expect(page.getByRole('grid', { name: 'Sessions' }).locator('[role=gridcell]:focus')).toHaveCount(1);
  expect((await evening.api('GET', '/auth/me')).status).toBe(401);
});

test('ends all other sessions of the same user, but not the current one and not those of other users @full', async ({ page, service }) => {
  const { api, merchantId } = await asAdmin(service);
  const clerk = await newUser(service, 'bystander');
  const bystander = await signIn(service, clerk);
  const owner = { email: 'second-admin@demo.example', password: 'a second admin chooses', role: 'admin' };
  await api('POST', `/merchants/${merchantId}/users`, owner);
  const elsewhere = await signIn(service, owner);
  await page.goto('/');
  await page.getByLabel('Email').fill(owner.email);
  await page.getByLabel('Password', { exact: true }).fill(owner.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Audit log' }).click();
  await page.getByRole('tab', { name: 'Sessions' }).click();
  await page.getByRole('button', { name: 'Revoke other sessions' }).click();
  await expect(page.getByRole('radio', { name: 'My other sessions (1)' })).toBeChecked();
  await page.getByRole('button', { name: 'Revoke 1 session' }).click();
  await expect(page.getByRole('gridcell', { name: owner.email })).toHaveCount(1);
  expect((await elsewhere.api('GET', '/auth/me')).status).toBe(401);
  expect((await bystander.api('GET', '/auth/me')).status).toBe(200);
  const { data: revoked } = await api<Entry[]>('GET', `/audit-logs?action=session.revoked&actor=${owner.email}`);
  expect(revoked.map(({ after }) => after)).toEqual([{ user: owner.email }]);
});

test('the audit log has no accessibility fault in either color scheme and fits a small screen @full', async ({
  signedIn: page,
  service,
}) => {
  const { api, merchantId } = await asAdmin(service);
  await api('PUT', `/merchants/${merchantId}/branding`, { accentColor: '#333333' });
  await page.goto('/#/audit?action=branding.updated');
  await page.getByRole('button', { name: 'Verify chain' }).click();
  await expect(verdictOf(page)).toBeVisible();
  await expectAccessible(page, 'log');
  await gridOf(page).getByText('Branding updated').first().click();
  await expect(page.getByRole('dialog', { name: 'Audit entry' }).getByRole('table')).toBeVisible();
  await expectAccessible(page, 'entry');
  await page.keyboard.press('Escape');
  await page.goto('/#/audit?action=no.such');
  await expect(page.getByText('No match')).toBeVisible();
  await expectAccessible(page, 'no match');
  await page.goto('/#/audit/sessions');
  await expect(page.getByText('This session')).toBeVisible();
  await expectAccessible(page, 'sessions');
  await page.getByRole('button', { name: 'Revoke other sessions' }).click();
  await expectAccessible(page, 'revoke all others');
  await page.keyboard.press('Escape');
  await page.setViewportSize({ width: 640, height: 360 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
});
