import { expectAccessible } from './accessibility.ts';
import { expect, type Service, test } from './fixtures.ts';
import { confirmWithPassword } from './pages/confirmation-prompt.ts';
import { SellPage } from './pages/sell-page.ts';
import { SignInPage } from './pages/sign-in-page.ts';
import { createPerson, signInElsewhere } from './people.ts';
import { actOn } from './record-actions.ts';

/** Returns the API of the administrator, in addition to the page. */
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

test('settings, users, API keys and audit screens have no accessibility fault in either color scheme @full', async ({ signedIn }) => {
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

test('invites a cashier by keyboard, who sets a password through the link and sees no settings', async ({
  signedIn: page,
  service,
  faults,
  browser,
}) => {
  await page.goto('/#/users');
  await expect(page.getByRole('grid', { name: 'Users' })).toBeVisible();
  await page.keyboard.press('n');
  await expect(page.locator('input:focus')).toBeVisible();
  await page.keyboard.type('clerk@demo.example');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Invitation for clerk@demo.example' });
  await expect(dialog).toContainText(/Give this link to the user\. It works once, until \w+ \d+(, \d+)?\./);
  await expect(dialog).toContainText('This link opens only on this computer.');
  const link = await dialog.getByText(/set-password\?token=/).textContent();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('gridcell', { name: 'clerk@demo.example' })).toBeVisible();

  const other = await (await browser.newContext()).newPage();
  await other.goto(link ?? '');
  await expect(other.getByRole('heading', { name: 'Choose a password' })).toBeVisible();
  expect(new URL(other.url()).hash).not.toContain('token');
  await expect(other.locator('input:focus')).toBeVisible();
  await other.keyboard.type('a clerk chooses this');
  await other.keyboard.press('Enter');
  await other.getByRole('button', { name: 'Go to sign-in' }).press('Enter');
  const signInPage = new SignInPage(other);
  await signInPage.enter('clerk@demo.example', 'a clerk chooses this');
  const navigation = other.getByRole('navigation', { name: 'Main' });
  await expect(navigation.getByRole('link', { name: 'New sale' })).toBeVisible();
  await expect(navigation.getByRole('link')).toHaveText(['New saleF2', 'TransactionsF9', 'Customers', 'Register']);
  await navigation.getByRole('link', { name: 'Register' }).click();
  await expect(other.getByRole('tab', { name: 'My shift', selected: true })).toBeVisible();
  await other.goto(`${service.baseUrl}/#/settings`);
  await expect(other.getByText('Your role Cashier can’t open Settings')).toBeVisible();
  await expect(other.getByText('Ask an owner or administrator')).toBeVisible();
  await expect(other.getByRole('navigation', { name: 'Settings' })).toHaveCount(0);
  await other.getByRole('link', { name: 'Go to Sell' }).press('Enter');
  await expect(other.getByRole('heading', { name: 'Sell', level: 1 })).toBeVisible();
  faults.expect(/^$/);
  await other.context().close();
});

test('a page of Settings that a role may not open says so, and the column has no link to it @full', async ({ service, browser }) => {
  const accountant = 'ledger@demo.example';
  await createPerson(service, 'accountant', accountant);
  const page = await signInElsewhere(browser, service, accountant);
  await page.goto('/#/settings/security');
  await expect(page.getByText('Your role Accountant can’t open Security')).toBeVisible();
  await page.goto('/#/settings/profile');
  const column = page.getByRole('navigation', { name: 'Settings' });
  await expect(column.getByRole('link', { name: 'Profile' })).toBeVisible();
  await expect(column.getByRole('link', { name: 'Security' })).toHaveCount(0);
  await page.context().close();
});

test('copies a built-in role, toggles one permission by keyboard and saves the copy @full', async ({ signedIn: page }) => {
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

test('asks for a sign-in code, shows the remaining attempts after a wrong one, and accepts a code pasted with a space', async ({
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
  await expect(page.getByLabel('Code')).toBeFocused();
  await page.keyboard.type(code === '111111' ? '222222' : '111111');
  await expect(page.getByRole('alert')).toContainText('4 attempts left');
  await expect(page.getByLabel('Code')).toBeFocused();
  await page.getByLabel('Code').fill(`${code.slice(0, 3)} ${code.slice(3)}`);
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible();
});

test('creates an API key by keyboard that works as copied and is refused after its revocation', async ({ signedIn: page, service }) => {
  await page.goto('/#/api-keys');
  await expect(page.getByRole('grid', { name: 'API keys' })).toBeVisible();
  await page.keyboard.press('n');
  await expect(page.locator('input:focus')).toBeVisible();
  await page.keyboard.type('Web shop');
  await page.keyboard.press('Enter');
  const shown = page.getByRole('dialog', { name: 'API key for Web shop' });
  const curl = (await shown.getByRole('region', { name: 'Test request' }).textContent()) ?? '';
  const [, url = ''] = /curl -X POST (\S+)/.exec(curl) ?? [];
  const headers = Object.fromEntries([...curl.matchAll(/-H '([^:]+): ([^']+)'/g)].map(([, name = '', value = '']) => [name, value]));
  const call = () => fetch(url, { method: 'POST', headers });
  expect((await call()).status).toBe(200);
  await page.keyboard.press('Enter');
  await page.getByRole('gridcell', { name: 'Web shop' }).click();
  const drawer = page.getByRole('dialog', { name: 'API key' });
  await actOn(drawer, 'Revoke key');
  await expect(drawer.locator('button[type=submit]:focus')).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(drawer.getByText('Revoked', { exact: true }).first()).toBeVisible();
  expect((await call()).status).toBe(401);
  expect(service.baseUrl).toContain('http');
});

test('asks for the password before an API key after an earlier sign-in, and repeats the request', async ({
  signedIn: page,
  service,
  faults,
}) => {
  faults.expect(/400|403/);
  const details = { reason: 'confirmation_required', operation: 'Create an API key' };
  const refused = { success: false, error: { code: 'PERMISSION_DENIED', message: 'This must be confirmed.', details, docUrl: '' } };
  let refusals = 2;
  await page.goto('/#/api-keys');
  await expect(page.getByRole('grid', { name: 'API keys' })).toBeVisible();
  await page.route(
    (url) => url.pathname === '/api/v1/api-keys',
    (route) => (route.request().method() === 'POST' && refusals-- > 0 ? route.fulfill({ status: 403, json: refused }) : route.fallback()),
  );
  await page.keyboard.press('n');
  await expect(page.locator('input:focus')).toBeVisible();
  await page.keyboard.type('Confirmed');
  await page.keyboard.press('Enter');
  const prompt = page.getByRole('dialog', { name: 'Confirm with your password' });
  await expect(prompt.getByText('Create an API key')).toBeVisible();
  await expect(prompt).toContainText('You signed in more than 15 minutes ago.');
  await page.keyboard.press('Escape');
  const form = page.getByRole('dialog', { name: 'New API key' });
  await expect(form).toContainText('Nothing was changed.');
  await expect(form.locator('.MuiAlert-colorError')).toHaveCount(0);
  await form.getByRole('button', { name: 'Create' }).press('Enter');
  await confirmWithPassword(page, 'not the password');
  await expect(prompt.getByText('The password is wrong.')).toBeVisible();
  await confirmWithPassword(page, service.adminPassword);
  await expect(page.getByRole('dialog', { name: 'API key for Confirmed' })).toBeVisible();
});

test('sets and changes the spending limits and origins of an API key by keyboard @full', async ({ signedIn: page }) => {
  await page.goto('/#/api-keys');
  await expect(page.getByRole('grid', { name: 'API keys' })).toBeVisible();
  await page.keyboard.press('n');
  await expect(page.locator('input:focus')).toBeVisible();
  await page.keyboard.type('Agent');
  const created = page.getByRole('dialog', { name: 'New API key' });
  await created.getByLabel('Allowed origins').fill('https://shop.example http://localhost:3000');
  await created.getByLabel(/^Limit the money/).press('Space');
  await created.getByLabel(/^Largest payment/).fill('50');
  await created.getByLabel(/^Sum per day/).fill('200');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'API key for Agent' })).toBeVisible();
  await page.keyboard.press('Enter');
  await page.getByRole('gridcell', { name: 'Agent', exact: true }).click();
  const drawer = page.getByRole('dialog', { name: 'API key' });
  await expect(drawer.getByText('50 USD per payment, 200 USD a day, 0 USD moved today')).toBeVisible();
  await expect(drawer.getByText('https://shop.example, http://localhost:3000')).toBeVisible();
  await drawer.getByRole('button', { name: 'Edit key' }).press('Enter');
  await drawer.getByLabel('Allowed origins').press('Backspace');
  await drawer.getByLabel(/^Sum per day/).fill('120');
  await drawer.getByRole('button', { name: 'Save' }).press('Enter');
  await expect(drawer.getByText('50 USD per payment, 120 USD a day, 0 USD moved today')).toBeVisible();
  await expect(drawer.getByText('https://shop.example', { exact: true })).toBeVisible();
});

test('offers tips on pay pages by keyboard @full', async ({ signedIn: page, service, faults }) => {
  faults.expect(/400/);
  const { api, merchantId } = await asAdmin(service);
  await page.goto('/#/settings/amounts');
  await page.getByRole('combobox', { name: 'Pay pages with a tip' }).focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  const suggested = page.getByLabel('Suggested tips');
  for (let left = 0; left < 3; left += 1) await suggested.press('Backspace');
  await suggested.pressSequentially('12, 14 , 101');
  await page.keyboard.press('ControlOrMeta+s');
  await expect(page.getByText(/tipPercents.*101|at most 4 whole numbers|from 1 to 100/).first()).toBeVisible();
  await suggested.fill('');
  await page.keyboard.press('ControlOrMeta+s');
  await expect(page.getByText('No changes')).toBeVisible();
  const { data } = await api<{ pageTips: string; tipPercents: number[] }>('GET', `/merchants/${merchantId}/amount-settings`);
  expect(data).toMatchObject({ pageTips: 'links', tipPercents: [12, 14], tipCustomAmount: true });
  await api('PUT', `/merchants/${merchantId}/amount-settings`, { pageTips: 'off', tipPercents: [15, 18, 20] });
});

test('fills in the sales tax of an amount, which can be changed, and leaves items their own taxes @full', async ({
  signedIn: page,
  service,
}) => {
  const { api, merchantId } = await asAdmin(service);
  await page.goto('/#/settings/amounts');
  await page.getByLabel('Rate').fill('8.25');
  await page.getByLabel('Name', { exact: true }).fill('State tax');
  await page.keyboard.press('ControlOrMeta+s');
  await expect(page.getByText('No changes')).toBeVisible();
  const sell = new SellPage(page);
  await sell.open();
  await sell.key({ amount: '23.41', zip: '03101' });
  const tax = page.getByLabel('State tax (8.25%, added)');
  await expect(tax).toHaveAttribute('placeholder', '1.93');
  await expect(page.locator('[data-total]')).toContainText('25.34');
  await expect(page.getByRole('region', { name: 'Ticket' })).toContainText('State tax1.93');
  await tax.fill('1.50');
  await expect(page.locator('[data-total]')).toContainText('24.91');
  await page.keyboard.press('Enter');
  await expect(sell.approved).toBeVisible();
  const { data } = await api<{ amount: number; taxAmount: number }[]>('GET', `/transactions?limit=1&merchantId=${merchantId}`);
  expect(data[0]).toMatchObject({ amount: 24.91, taxAmount: 1.5 });
  await page.goto('/#/invoices?tab=links');
  await expect(page.getByRole('heading', { name: 'Invoices & links' })).toBeVisible();
  await page.keyboard.press('l');
  await expect(page.getByLabel('Amount, USD', { exact: true })).toBeFocused();
  await page.keyboard.type('40');
  await expect(page.getByRole('button', { name: 'Create link for 43.30 USD' })).toBeVisible();
  await page.getByLabel('State tax (8.25%, added)').fill('2');
  await page.getByLabel('Purchase order number (optional)').fill('PO-4411');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Payment link created' })).toBeVisible();
  const links = await api<object[]>('GET', `/invoices?kind=link&limit=1&merchantId=${merchantId}`);
  expect(links.data[0]).toMatchObject({ amount: 42, taxAmount: 2, purchaseOrderNumber: 'PO-4411' });
  await api('PUT', `/merchants/${merchantId}/amount-settings`, { taxPercent: 0, taxName: 'Sales tax' });
});

test('applies settings changed elsewhere to the terminal without a reload @full', async ({ signedIn: page, service }) => {
  const { api, merchantId } = await asAdmin(service);
  const sell = new SellPage(page);
  await sell.open();
  await sell.key({ amount: '40', zip: '03101' });
  await expect(page.getByLabel(/^ZIP/)).toBeVisible();
  await api('PUT', `/merchants/${merchantId}/vt-settings`, { requireZip: false, tipEnabled: true });
  await api('PUT', `/merchants/${merchantId}`, { state: 'NH' });
  await api('PUT', `/merchants/${merchantId}/amount-settings`, { surchargePercent: 3 });
  await expect(page.getByLabel('Tip (optional)')).toBeVisible();
  await page.getByLabel('Tip (optional)').fill('5');
  await expect(page.locator('[data-total]')).toContainText('46.16');
  await expect(page.getByRole('region', { name: 'Ticket' })).toContainText('Tip5.00Surcharge, 2.9%1.16');
  const debitCard = '4000056655665556';
  await page.getByLabel('Card number').fill(debitCard);
  await expect(page.getByText('No surcharge: A surcharge is not allowed on debit cards.')).toBeVisible();
  await expect(page.locator('[data-total]')).toContainText('45.00');
  await expect(sell.amount).toHaveValue(/^40/);
  await api('PUT', `/merchants/${merchantId}/vt-settings`, { requireZip: true, tipEnabled: false });
  await api('PUT', `/merchants/${merchantId}/amount-settings`, { surchargePercent: 0 });
  await expect(page.getByLabel('Tip (optional)')).toHaveCount(0);
});

test('settings send changed fields only, confirm before leaving without saving, and save with Ctrl+S', async ({
  signedIn: page,
  service,
}) => {
  const { api } = await asAdmin(service);
  await page.goto('/#/settings/branding');
  await page.getByLabel('Primary color', { exact: true }).fill('#FFEE00');
  await expect(page.getByText(/too low, so text uses a darker shade/)).toBeVisible();
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

test('selects currency, time zone and country by name @full', async ({ signedIn: page, service }) => {
  const { api, merchantId } = await asAdmin(service);
  await page.goto('/#/settings/profile');
  for (const [field, words, option] of [
    ['Currency', 'mexican', 'MXN, Mexican Peso'],
    ['Time zone', 'mexico city', 'Central Standard Time (Mexico City)'],
    ['Country', 'mexico', 'MX, Mexico'],
  ] as const) {
    await page.getByRole('combobox', { name: field }).fill(words);
    await page.getByRole('option', { name: option }).click();
  }
  await page.keyboard.press('Control+s');
  await expect(page.getByText('No changes')).toBeVisible();
  const saved = await api<Record<string, string>>('GET', `/merchants/${merchantId}`);
  expect(saved.data).toMatchObject({ currency: 'MXN', timezone: 'America/Mexico_City', country: 'MX' });
  await api('PUT', `/merchants/${merchantId}`, { currency: 'USD', timezone: 'America/New_York', country: 'US' });
});

test('takes a logo that is dropped on its field @full', async ({ signedIn: page }) => {
  await page.goto('/#/settings/branding');
  const image = await page.evaluateHandle(() => {
    const transfer = new DataTransfer();
    const bytes = Uint8Array.from(
      atob('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII='),
      (c) => c.charCodeAt(0),
    );
    transfer.items.add(new File([bytes], 'logo.png', { type: 'image/png' }));
    return transfer;
  });
  await page.getByRole('textbox', { name: 'Logo' }).dispatchEvent('drop', { dataTransfer: image });
  await expect(page.getByRole('textbox', { name: 'Logo' })).toHaveValue('Image from this computer');
  await expect(page.getByRole('img', { name: 'Preview' }).locator('img')).toHaveAttribute('src', /^data:image\/png/);
  await page.getByRole('button', { name: 'Discard' }).click();
});

test('sets the automatic retries of declined refunds per merchant, from 1 to 9 @full', async ({ signedIn: page, service, faults }) => {
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

test('marks an invalid routing rule at its row and character; the simulation shows which rule matches and why', async ({
  signedIn: page,
  faults,
}) => {
  faults.expect(/400/);
  await page.goto('/#/settings/routing');
  await page.getByRole('button', { name: 'Add rule' }).click();
  await page.getByLabel('Rule 1, condition').fill('amount > 100 and amout < 5');
  await page.keyboard.press('Control+s');
  await expect(page.getByRole('alert')).toContainText('did you mean `amount`');
  await expect(page.getByLabel('Error at character 18')).toBeVisible();
  await page.getByLabel('Rule 1, condition').fill('amount > 100');
  await page.getByRole('textbox', { name: 'Amount' }).fill('250');
  await page.keyboard.press('Enter');
  await expect(page.getByText('amount > 100 is true (value: 250)')).toBeVisible();
  await page.getByRole('button', { name: 'Discard' }).click();
  await expect(page.getByText('No changes')).toBeVisible();
});

test('verifies the audit chain on screen, keeps the filter after a reload, and shows old and new values of an entry @full', async ({
  signedIn: page,
  service,
}) => {
  const { api, merchantId } = await asAdmin(service);
  await api('PUT', `/merchants/${merchantId}/branding`, { accentColor: '#112233' });
  await api('PUT', `/merchants/${merchantId}/branding`, { accentColor: '#445566' });
  await page.goto('/#/audit?action=branding.updated');
  await page.reload();
  await expect(page.getByLabel('Action', { exact: true })).toHaveValue('branding.updated');
  await page.getByRole('button', { name: 'Verify chain' }).click();
  await expect(page.getByText(/The log is intact: [\d,]+ entries/)).toBeVisible();
  await page.getByRole('gridcell', { name: 'Branding updated' }).first().click();
  const entry = page.getByRole('dialog', { name: 'Audit entry' });
  await expect(entry.getByRole('row', { name: 'accentColor #112233 #445566' })).toBeVisible();
});

test('locks a session at its next action after it was ended from the session list @full', async ({ signedIn: page, service, browser }) => {
  const { api, merchantId } = await asAdmin(service);
  const user = { email: 'leaver@demo.example', role: 'cashier', password: 'a leaving password' };
  await api('POST', `/merchants/${merchantId}/users`, user);
  const other = await (await browser.newContext()).newPage();
  await other.clock.install();
  await other.goto(service.baseUrl);
  await new SignInPage(other).enter(user.email, user.password);
  await expect(other.getByRole('navigation', { name: 'Main' })).toBeVisible();
  // While its clock stands still, the screen sends no request on its own, which would lock it before the action.
  await other.clock.pauseAt(Date.now() + 60_000);
  await page.goto('/#/audit/sessions');
  await page.getByRole('gridcell', { name: user.email }).click();
  await page.getByRole('button', { name: 'Revoke session' }).click();
  await expect(page.getByRole('gridcell', { name: user.email })).toHaveCount(0);
  await other.getByRole('link', { name: 'Transactions' }).click();
  await other.clock.resume();
  await expect(other.getByRole('heading', { name: 'Locked' })).toBeVisible();
  await other.context().close();
});

test('limits the requests of the sandbox to a tier, and removes the limits again @full', async ({ signedIn }) => {
  await signedIn.goto('/#/api-keys/requests');
  await expect(signedIn.getByText('Requests of this account are not limited.')).toBeVisible();
  const choose = async (tier: string) => {
    await signedIn.getByRole('combobox', { name: 'Request limits of the sandbox' }).press('Enter');
    await signedIn.getByRole('option', { name: tier }).click();
  };
  await choose('Enterprise');
  await expect(signedIn.getByText(/requests left until/)).toBeVisible();
  await choose('No limits');
  await expect(signedIn.getByText('Requests of this account are not limited.')).toBeVisible();
});
