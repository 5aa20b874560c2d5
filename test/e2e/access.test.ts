import { expectAccessible } from './accessibility.ts';
import { expect, type Service, test } from './fixtures.ts';
import { confirmWithPassword } from './pages/confirmation-prompt.ts';
import { SellPage } from './pages/sell-page.ts';
import { SignInPage } from './pages/sign-in-page.ts';

/** The API as the administrator, beside the page. */
async function asAdmin({ baseUrl, tenantId, adminEmail, adminPassword }: Service) {
  const ask = async <Data>(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const response = await fetch(`${baseUrl}/api/v1${path}`, {
      method,
      headers: { 'X-Tenant-ID': tenantId, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }), ...headers },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const answer = (await response.json()) as { data: Data; error?: { code: string } };
    return { status: response.status, requestId: response.headers.get('x-request-id'), ...answer };
  };
  const { data } = await ask<{ token: string }>('POST', '/auth/login', { email: adminEmail, password: adminPassword });
  const authorized = { Authorization: `Bearer ${data.token}` };
  const api = <Data>(method: string, path: string, body?: unknown) => ask<Data>(method, path, body, authorized);
  const me = await api<{ merchants: { merchantId: string }[] }>('GET', '/auth/me');
  return { api, ask, merchantId: me.data.merchants[0]?.merchantId ?? '' };
}

test('the new screens have no accessibility fault in either scheme', async ({ signedIn }) => {
  const screens = ['settings', 'settings/branding', 'settings/terminal', 'settings/gateways', 'settings/routing', 'settings/fraud'];
  const others = [
    'settings/refunds',
    'settings/security',
    'settings/merchants',
    'users',
    'users/roles',
    'api-keys',
    'api-keys/requests',
    'audit',
    'audit/sessions',
  ];
  for (const path of [...screens, ...others]) {
    await signedIn.goto(`/#/${path}`);
    await expect(signedIn.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(signedIn.getByRole('progressbar')).toHaveCount(0);
    await expectAccessible(signedIn, path);
  }
});

test('a cashier is invited by keyboard, chooses a password by the link and finds no settings', async ({
  signedIn: page,
  service,
  faults,
  browser,
}) => {
  await page.goto('/#/users');
  await expect(page.getByRole('grid', { name: 'Users' })).toBeVisible();
  await page.keyboard.press('n');
  await page.keyboard.type('clerk@demo.example');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'A password link for clerk@demo.example' });
  const link = await dialog.getByText(/set-password\?token=/).textContent();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('gridcell', { name: 'clerk@demo.example' })).toBeVisible();

  const other = await (await browser.newContext()).newPage();
  await other.goto(link ?? '');
  await expect(other.getByRole('heading', { name: 'Choose a password' })).toBeVisible();
  expect(new URL(other.url()).hash).not.toContain('token');
  await other.keyboard.type('a clerk chooses this');
  await other.keyboard.press('Enter');
  await other.getByRole('button', { name: 'Go to sign-in' }).press('Enter');
  const door = new SignInPage(other);
  await door.enter('clerk@demo.example', 'a clerk chooses this');
  const rail = other.getByRole('navigation', { name: 'Main' });
  await expect(rail.getByRole('link', { name: 'Sell' })).toBeVisible();
  for (const name of ['Settings', 'Users and roles', 'API keys', 'Audit log'])
    await expect(rail.getByRole('link', { name })).toHaveCount(0);
  await other.goto(`${service.baseUrl}/#/settings`);
  await expect(other.getByRole('heading', { name: 'Sell', level: 1 })).toBeVisible();
  faults.expect(/^$/);
  await other.context().close();
});

test('a built-in role is copied, one cell turned by keyboard, and saved', async ({ signedIn: page }) => {
  await page.goto('/#/users/roles');
  await page.getByRole('button', { name: /^Cashier/ }).click();
  await expect(page.getByRole('checkbox', { name: 'refunds, write' })).toBeDisabled();
  await page.getByRole('button', { name: 'Copy to edit' }).click();
  await page.getByLabel('Name').fill('Evening clerk');
  await page.getByRole('checkbox', { name: 'transactions, read' }).focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('checkbox', { name: 'refunds, write' })).toBeFocused();
  await page.keyboard.press('Space');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: /^Evening clerk/ })).toBeVisible();
  await expect(page.getByRole('checkbox', { name: 'refunds, write' })).not.toBeChecked();
});

test('a second factor is asked for, a wrong code says what is left, and the right one pasted with a space opens', async ({
  page,
  service,
  faults,
}) => {
  faults.expect(/400/);
  const { api, ask, merchantId } = await asAdmin(service);
  const user = { email: 'careful@demo.example', role: 'manager', password: 'a careful password' };
  await api('POST', `/merchants/${merchantId}/users`, user);
  const { data } = await ask<{ token: string }>('POST', '/auth/login', user);
  await ask('PUT', '/auth/two-factor', { enabled: true, currentPassword: user.password }, { Authorization: `Bearer ${data.token}` });
  await page.goto('/');
  await new SignInPage(page).enter(user.email, user.password);
  await expect(page.getByRole('heading', { name: 'Enter the code' })).toBeVisible();
  const messages = await api<{ to: string; body: string }[]>('GET', '/sandbox/messages');
  const code = /\b\d{6}\b/.exec(messages.data.find(({ to }) => to === user.email)?.body ?? '')?.[0] ?? '';
  await page.keyboard.type(code === '111111' ? '222222' : '111111');
  await expect(page.getByRole('alert')).toContainText('4 tries are left');
  await expect(page.getByLabel('Code')).toBeFocused();
  await page.getByLabel('Code').fill(`${code.slice(0, 3)} ${code.slice(3)}`);
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible();
});

test('a key made by keyboard works as pasted, and is refused once it is revoked', async ({ signedIn: page, service }) => {
  await page.goto('/#/api-keys');
  await expect(page.getByRole('grid', { name: 'API keys' })).toBeVisible();
  await page.keyboard.press('n');
  await page.keyboard.type('Web shop');
  await page.keyboard.press('Enter');
  await confirmWithPassword(page, service.adminPassword);
  const shown = page.getByRole('dialog', { name: 'The key of Web shop' });
  const curl = (await shown.getByRole('region', { name: 'Try it' }).textContent()) ?? '';
  const [, url = ''] = /curl -X POST (\S+)/.exec(curl) ?? [];
  const headers = Object.fromEntries([...curl.matchAll(/-H '([^:]+): ([^']+)'/g)].map(([, name = '', value = '']) => [name, value]));
  const call = () => fetch(url, { method: 'POST', headers });
  expect((await call()).status).toBe(200);
  await page.keyboard.press('Enter');
  await page.getByRole('gridcell', { name: 'Web shop' }).click();
  const drawer = page.getByRole('dialog', { name: 'API key' });
  await drawer.getByRole('button', { name: 'Revoke' }).click();
  await page.keyboard.press('Enter');
  await expect(drawer.getByText('Revoked', { exact: true }).first()).toBeVisible();
  expect((await call()).status).toBe(401);
  expect(service.baseUrl).toContain('http');
});

test('a setting changed elsewhere changes the terminal without a reload', async ({ signedIn: page, service }) => {
  const { api, merchantId } = await asAdmin(service);
  const sell = new SellPage(page);
  await sell.open();
  await sell.key({ amount: '40' });
  await expect(page.getByLabel(/^ZIP/)).toBeVisible();
  await api('PUT', `/merchants/${merchantId}/vt-settings`, { requireZip: false, tipEnabled: true, surchargePercent: 3 });
  await expect(page.getByLabel('Tip, optional')).toBeVisible();
  await page.getByLabel('Tip, optional').fill('5');
  await expect(page.locator('[data-total]')).toContainText('46.35');
  await expect(page.getByText('With tip 5.00 and surcharge 1.35')).toBeVisible();
  await expect(sell.amount).toHaveValue(/^40/);
  await api('PUT', `/merchants/${merchantId}/vt-settings`, { requireZip: true, tipEnabled: false, surchargePercent: 0 });
  await expect(page.getByLabel('Tip, optional')).toHaveCount(0);
});

test('settings send what changed, ask before they are left, and save by Ctrl+S', async ({ signedIn: page, service }) => {
  const { api } = await asAdmin(service);
  await page.goto('/#/settings/branding');
  await page.getByLabel('Primary colour', { exact: true }).fill('#FFEE00');
  await expect(page.getByText(/too low; text stands on a darker shade/)).toBeVisible();
  await expect(page.getByText('1 change')).toBeVisible();
  await page.getByRole('link', { name: 'Transactions' }).click();
  await expect(page.getByRole('dialog', { name: 'Leave without saving?' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.keyboard.press('Control+s');
  await expect(page.getByText('No changes')).toBeVisible();
  const entries = await api<{ action: string; after: unknown; requestId: string }[]>('GET', '/audit-logs?action=branding.updated&limit=1');
  expect(entries.data[0]?.after).toEqual({ primaryColor: '#FFEE00' });
});

test('the retries of declined refunds are set per merchant, from 1 to 9', async ({ signedIn: page, service, faults }) => {
  faults.expect(/400/);
  const { api, merchantId } = await asAdmin(service);
  await page.goto('/#/settings/refunds');
  const retries = page.getByLabel('Automatic retries, 1 to 9');
  await expect(retries).toHaveValue('3');
  await retries.fill('12');
  await page.keyboard.press('Control+s');
  await expect(page.getByText('refundMaxAttempts', { exact: false })).toBeVisible();
  await retries.fill('9');
  await page.keyboard.press('Control+s');
  await expect(page.getByText('No changes')).toBeVisible();
  const saved = await api<{ refundMaxAttempts: number }>('GET', `/merchants/${merchantId}/settings`);
  expect(saved.data.refundMaxAttempts).toBe(9);
  await api('PUT', `/merchants/${merchantId}/settings`, { refundMaxAttempts: 3 });
});

test('a bad rule is marked at its row and character; the bench says which rule fires and why', async ({ signedIn: page, faults }) => {
  faults.expect(/400/);
  await page.goto('/#/settings/routing');
  await page.getByRole('button', { name: 'Add a rule' }).click();
  await page.getByLabel('Rule 1, condition').fill('amount > 100 and amout < 5');
  await page.keyboard.press('Control+s');
  await expect(page.getByRole('alert')).toContainText('did you mean `amount`');
  await expect(page.getByLabel('The fault is at character 18')).toBeVisible();
  await page.getByLabel('Rule 1, condition').fill('amount > 100');
  await page.getByRole('textbox', { name: 'Amount' }).fill('250');
  await page.keyboard.press('Enter');
  await expect(page.getByText('amount > 100 is true (it is 250)')).toBeVisible();
  await page.getByRole('button', { name: 'Discard' }).click();
  await expect(page.getByText('No changes')).toBeVisible();
});

test('the chain is verified on screen, the filter survives a reload, and an entry shows old and new', async ({
  signedIn: page,
  service,
}) => {
  const { api, merchantId } = await asAdmin(service);
  await api('PUT', `/merchants/${merchantId}/branding`, { accentColor: '#112233' });
  await api('PUT', `/merchants/${merchantId}/branding`, { accentColor: '#445566' });
  await page.goto('/#/audit?action=branding.updated');
  await page.reload();
  await expect(page.getByLabel('Action, such as branding.updated')).toHaveValue('branding.updated');
  await page.getByRole('button', { name: 'Verify chain' }).click();
  await expect(page.getByText(/The chain is whole: [\d,]+ entries/)).toBeVisible();
  await page.getByRole('gridcell', { name: 'Branding updated' }).first().click();
  const entry = page.getByRole('dialog', { name: 'Audit entry' });
  await expect(entry.getByRole('row', { name: 'accentColor #112233 #445566' })).toBeVisible();
});

test('a session ended on the list is asked for its password at its next step', async ({ signedIn: page, service, browser }) => {
  const { api, merchantId } = await asAdmin(service);
  const user = { email: 'leaver@demo.example', role: 'cashier', password: 'a leaving password' };
  await api('POST', `/merchants/${merchantId}/users`, user);
  const other = await (await browser.newContext()).newPage();
  await other.goto(service.baseUrl);
  await new SignInPage(other).enter(user.email, user.password);
  await expect(other.getByRole('navigation', { name: 'Main' })).toBeVisible();
  await page.goto('/#/audit/sessions');
  await page.getByRole('gridcell', { name: user.email }).click();
  await page.getByRole('button', { name: 'End the session' }).click();
  await expect(page.getByRole('gridcell', { name: user.email })).toHaveCount(0);
  await other.getByRole('link', { name: 'Transactions' }).click();
  await expect(other.getByRole('heading', { name: 'Locked' })).toBeVisible();
  await other.context().close();
});
