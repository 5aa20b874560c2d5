import { expectAccessible } from './accessibility.ts';
import { ApiSession } from './api-session.ts';
import { expect, test } from './fixtures.ts';
import { SignInPage } from './pages/sign-in-page.ts';
import { TransactionsPage } from './pages/transactions-page.ts';

test('the command palette keeps the focus if it is opened while a screen loads @full', async ({ signedIn }) => {
  const held = Promise.withResolvers<void>();
  await signedIn.route('**/api/v1/sandbox/clock', async (route) => {
    await held.promise;
    await route.continue();
  });
  await signedIn.reload();
  await expect(signedIn.getByRole('navigation').first()).toBeVisible();
  const palette = signedIn.getByRole('combobox', { name: 'Go to anything' });
  await signedIn.keyboard.press('Control+k');
  await expect(palette).toBeFocused();
  held.resolve();
  await expect(signedIn.getByRole('heading', { name: 'Sell', level: 1, includeHidden: true })).toBeVisible();
  await signedIn.keyboard.type('trans');
  await expect(palette).toHaveValue('trans');
});

test('keeps an address that is opened before the first screen of the role @full', async ({ signedIn }) => {
  const held = Promise.withResolvers<void>();
  await signedIn.route('**/api/v1/sandbox/clock', async (route) => {
    await held.promise;
    await route.continue();
  });
  await signedIn.goto('about:blank');
  await signedIn.goto('/');
  await expect(signedIn.getByRole('navigation', { name: 'Main' })).toBeVisible();
  await signedIn.evaluate(() => {
    location.hash = '#/customers';
  });
  held.resolve();
  await expect(signedIn.getByRole('heading', { name: 'Customers', level: 1 })).toBeVisible();
});

test('the command palette opens pages and pasted IDs, and searches for other text', async ({ signedIn, service }) => {
  const sale = await (await ApiSession.open(service)).sell({ amount: '19.00' });
  const list = new TransactionsPage(signedIn);
  const { keyboard } = signedIn;
  const palette = signedIn.getByRole('combobox', { name: 'Go to anything' });
  await keyboard.press('Control+k');
  await expect(palette).toBeFocused();
  await keyboard.type('trans');
  await keyboard.press('Enter');
  await expect(list.heading).toBeFocused();

  await keyboard.press('Control+k');
  await palette.fill(sale.transactionId);
  await keyboard.press('Enter');
  await expect(list.drawer).toContainText(sale.orderId);
  await keyboard.press('Escape');
  await expect(list.drawer).toBeHidden();

  await keyboard.press('Control+k');
  await palette.fill(sale.orderId);
  await expect(signedIn.getByRole('option').first()).toContainText('19.00 USD');
  await keyboard.press('Enter');
  await expect(list.drawer).toContainText(sale.orderId);
  await keyboard.press('Escape');

  await keyboard.press('Control+k');
  await palette.fill(`${sale.orderId}-0`);
  await keyboard.press('Enter');
  await expect(list.search).toHaveValue(`${sale.orderId}-0`);
});

test('the command palette ranks pages, tabs and settings above searches, by the words that people use @full', async ({ signedIn }) => {
  const palette = signedIn.getByRole('combobox', { name: 'Go to anything' });
  const options = signedIn.getByRole('listbox').getByRole('option');
  await signedIn.keyboard.press('Control+k');
  for (const [text, first] of [
    ['cash', 'Register'],
    ['dunning', 'Settings: Failed renewals'],
    ['shift', 'Shifts'],
    ['tax', 'Settings: Tax, tips, surcharge'],
    ['smtp', 'Settings: Email and texts'],
    ['quickbooks', 'Close a period and export the journal'],
    ['duplicate', 'Fraud: Duplicate window'],
    ['new customer', 'New customer'],
    ['add user', 'New user'],
    ['record payout', 'Record payout'],
    ['import', 'Import and export customers'],
    ['pay in', 'Pay in'],
    ['dark', 'Appearance: Dark'],
    ['language', 'Your account'],
    ['help', 'Help for this page'],
    ['restore', 'System: Backup'],
  ] as const) {
    await palette.fill(text);
    await expect(options.first()).toHaveText(new RegExp(`^${first}`));
  }
  await signedIn.keyboard.press('Enter');
  await expect(signedIn).toHaveURL(/#\/system\/backup$/);
});

test('the command palette finds payments, customers and invoices with amount and name', async ({ signedIn, service }) => {
  const api = await ApiSession.open(service);
  const email = 'palette-payer@customer.example';
  const { customerId } = await api.post<{ customerId: string }>('/customers', { firstName: 'Palette', lastName: 'Payer', email });
  const invoice = await api.post<{ number: string; invoiceId: string }>('/invoices', { customerId, amount: '47.11' });
  const sale = await api.sell({ amount: '47.12' });
  const palette = signedIn.getByRole('combobox', { name: 'Go to anything' });
  const options = signedIn.getByRole('listbox').getByRole('option');
  await signedIn.keyboard.press('Control+k');
  await palette.fill('palette-payer');
  await expect(options.filter({ hasText: email })).toBeVisible();
  await palette.fill(sale.orderId);
  await expect(options.filter({ hasText: '47.12 USD' })).toBeVisible();
  // An exact match is preselected, also if it is found after other options.
  await palette.fill('palette');
  await expect(options.first()).toContainText('Palette Payer');
  await expect(options.first()).toHaveClass(/Mui-focused/);
  await palette.fill(invoice.number);
  await expect(options.first()).toContainText('47.11 USD');
  await signedIn.keyboard.press('Enter');
  await expect(signedIn).toHaveURL(new RegExp(invoice.invoiceId));
});

test('the command palette finds payments by the name of the customer, items, users and single settings @full', async ({
  signedIn,
  service,
}) => {
  const api = await ApiSession.open(service);
  const { customerId } = await api.post<{ customerId: string }>('/customers', { firstName: 'Ottoline', lastName: 'Brixwell' });
  await api.post('/tenders', { kind: 'check', amount: 31.17, checkNumber: '9', customerId });
  await api.post('/items', { name: 'Quince tart', price: '6.40', key: 'QTT' });
  const palette = signedIn.getByRole('combobox', { name: 'Go to anything' });
  const options = signedIn.getByRole('listbox').getByRole('option');
  await signedIn.keyboard.press('Control+k');
  await palette.fill('brixw');
  await expect(options.filter({ hasText: '31.17 USD · Ottoline Brixwell' })).toBeVisible();
  await palette.fill('qtt');
  await expect(options.filter({ hasText: 'Quince tart · QTT · 6.40 USD' })).toBeVisible();
  await palette.fill(service.adminEmail);
  await expect(options.filter({ hasText: ` · ${service.adminEmail}` })).toBeVisible();
  await palette.fill('duplicate window');
  await signedIn.keyboard.press('Enter');
  await expect(signedIn.getByLabel('Duplicate window', { exact: true })).toBeFocused();
});

test('the command palette offers recent pages, the keys of the screen and new records @full', async ({ signedIn }) => {
  await signedIn.goto('/#/customers');
  await signedIn.goto('/#/settlement');
  await signedIn.keyboard.press('Control+k');
  const palette = signedIn.getByRole('listbox');
  await expect(palette.getByRole('option').first()).toHaveText(/^Customers/);
  await signedIn.keyboard.press('Enter');
  await expect(signedIn.getByRole('heading', { name: 'Customers', level: 1 })).toBeVisible();
  await signedIn.keyboard.press('Control+k');
  await expect(palette.getByRole('option', { name: 'New customer' })).toBeVisible();
  await signedIn.keyboard.type('new inv');
  await signedIn.keyboard.press('Enter');
  await expect(signedIn.getByRole('heading', { name: 'New invoice' })).toBeVisible();
});

test('the command palette runs actions of other screens, once', async ({ signedIn }) => {
  const palette = signedIn.getByRole('combobox', { name: 'Go to anything' });
  for (const [text, opens] of [
    ['new customer', signedIn.getByRole('dialog', { name: 'New customer' })],
    ['open shift', signedIn.getByRole('dialog', { name: /^Open shift/ })],
    ['add user', signedIn.getByRole('dialog', { name: 'New user' })],
    ['record payout', signedIn.getByRole('dialog', { name: 'Record payout' })],
  ] as const) {
    await signedIn.keyboard.press('Control+k');
    await palette.fill(text);
    await expect(signedIn.getByRole('option').first()).toHaveText(new RegExp(text === 'add user' ? 'New user' : text, 'i'));
    await signedIn.keyboard.press('Enter');
    await expect(opens).toBeVisible();
    await signedIn.keyboard.press('Escape');
    await expect(opens).toBeHidden();
  }
  await signedIn.goto('/#/customers');
  await signedIn.goto('/#/settlement');
  await expect(signedIn.getByRole('heading', { name: 'Payouts', level: 1 })).toBeVisible();
  await expect(signedIn.getByRole('dialog')).toHaveCount(0);
});

test('the command palette opens the refund of the last sale @full', async ({ signedIn, service }) => {
  const { transactionId } = await (await ApiSession.open(service)).sell({ amount: '23.40' });
  await signedIn.evaluate((id) => localStorage.setItem('paydesk.lastSale', id), transactionId);
  await signedIn.keyboard.press('Control+k');
  await expect(signedIn.getByRole('combobox', { name: 'Go to anything' })).toBeFocused();
  await signedIn.keyboard.type('refund last');
  await expect(signedIn.getByRole('option', { name: 'Refund last sale' })).toBeVisible();
  await signedIn.keyboard.press('Enter');
  const list = new TransactionsPage(signedIn);
  await expect(list.drawer).toContainText('23.40');
  await expect(list.amount).toBeFocused();
});

test('F2 and F9 work on every screen, and a change of screen moves the focus to its heading or main field', async ({ signedIn }) => {
  const list = new TransactionsPage(signedIn);
  await signedIn.keyboard.press('F9');
  await expect(list.search).toBeFocused();
  await signedIn.keyboard.press('F2');
  await expect(signedIn.getByRole('textbox', { name: 'Amount' })).toBeFocused();
  await signedIn.getByRole('link', { name: 'Transactions' }).click();
  await expect(list.heading).toBeFocused();
});

test('the first stop of the Tab key leads past the navigation', async ({ signedIn }) => {
  await signedIn.goto('/#/customers');
  const heading = signedIn.getByRole('heading', { name: 'Customers', level: 1 });
  await expect(heading).toBeFocused();
  const skip = signedIn.getByRole('button', { name: 'Skip to content' });
  await skip.focus();
  await expect(skip).toBeInViewport({ ratio: 1 });
  await signedIn.keyboard.press('Enter');
  await expect(heading).toBeFocused();
});

test('the question mark lists the keys of the screen, and Esc closes only that list', async ({ signedIn, service }) => {
  const sale = await (await ApiSession.open(service)).sell({ amount: '19.00' });
  const list = new TransactionsPage(signedIn);
  await list.find(sale.orderId);
  await signedIn.keyboard.press('?');
  const keys = signedIn.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expect(keys.locator('section').filter({ hasText: 'This transaction' })).toContainText('Refund');
  await expect(keys).toContainText('Find transaction');
  await signedIn.keyboard.press('Escape');
  await expect(keys).toBeHidden();
  await expect(list.drawer).toBeVisible();
});

test('turns off single-letter keys, also after a reload @full', async ({ signedIn, service }) => {
  const sale = await (await ApiSession.open(service)).sell({ amount: '19.00' });
  const list = new TransactionsPage(signedIn);
  await signedIn.getByRole('button', { name: /^Signed in as/ }).click();
  await signedIn.getByRole('menuitemcheckbox', { name: 'Single-key shortcuts' }).click();
  await signedIn.reload();
  await expect(signedIn.getByRole('navigation')).toBeVisible();
  await list.find(sale.orderId);
  await signedIn.keyboard.press('r');
  await expect(list.action('Refund')).toBeVisible();
  await expect(list.amount).toBeHidden();
});

test('follows the color scheme of the system until one is chosen, and remembers the choice @full', async ({ signedIn }) => {
  const scheme = () => signedIn.evaluate(() => getComputedStyle(document.documentElement).colorScheme);
  await signedIn.emulateMedia({ colorScheme: 'dark' });
  await expect.poll(scheme).toBe('dark');
  await signedIn.getByRole('button', { name: /^Signed in as/ }).click();
  await signedIn.getByRole('menuitemradio', { name: 'Light' }).click();
  await expect.poll(scheme).toBe('light');
  await signedIn.reload();
  await expect(signedIn.getByRole('navigation')).toBeVisible();
  expect(await scheme()).toBe('light');
});

test('lists the screens by task without scrolling on a small screen, with the views of Transactions while it is open @full', async ({
  signedIn,
}) => {
  await signedIn.setViewportSize({ width: 1024, height: 700 });
  await signedIn.goto('/#/home');
  const navigation = signedIn.getByRole('navigation', { name: 'Main' });
  const namesIn = (list: string) => navigation.getByRole('list', { name: list, exact: true }).getByRole('link').allTextContents();
  await expect(navigation.getByRole('list', { name: 'Payments' }).getByRole('link', { name: /^Customers/ })).toBeVisible();
  expect(await namesIn('Payments')).toEqual(['TransactionsF9', 'Invoices & links', 'Subscriptions', 'Customers', 'Register']);
  expect(await namesIn('Money')).toEqual(['Payouts', 'Reconciliation', 'Reports']);
  const isWhole = () => navigation.evaluate((rail) => [rail, ...rail.children].every((part) => part.scrollHeight <= part.clientHeight));
  expect(await isWhole()).toBe(true);
  await signedIn.setViewportSize({ width: 1280, height: 800 });
  await navigation.getByRole('link', { name: 'Transactions' }).click();
  await navigation.getByRole('link', { name: 'Failed refunds' }).click();
  await expect(signedIn.getByRole('heading', { name: 'Failed refunds', level: 1 })).toBeFocused();
  await expect(navigation.getByRole('link', { name: 'Charge later' })).toBeVisible();
  expect(await isWhole()).toBe(true);
});

test('Developers and Settings open a second column with their pages, and earlier addresses still work', async ({ signedIn }) => {
  const navigation = signedIn.getByRole('navigation', { name: 'Main' });
  await navigation.getByRole('link', { name: 'Settings' }).click();
  const settings = signedIn.getByRole('navigation', { name: 'Settings' });
  await expect(settings.getByRole('link', { name: 'Profile' })).toHaveAttribute('aria-current', 'page');
  await settings.getByRole('link', { name: 'Fraud' }).click();
  await expect(signedIn.getByRole('heading', { name: 'Fraud', level: 1 })).toBeFocused();
  await settings.getByRole('link', { name: 'Users and roles' }).click();
  await expect(signedIn).toHaveURL(/#\/users$/);
  await expect(navigation.getByRole('link', { name: 'Settings' })).toHaveAttribute('aria-current', 'page');
  await signedIn.goto('/#/api-keys/requests');
  const developers = signedIn.getByRole('navigation', { name: 'Developers' });
  await expect(developers.getByRole('link', { name: 'Request log' })).toHaveAttribute('aria-current', 'page');
  await expect(developers.getByRole('link', { name: 'API keys' })).not.toHaveAttribute('aria-current', 'page');
  await signedIn.goto('/#/home');
  await expect(developers).toHaveCount(0);
});

test('reduces the navigation to icons that keep their names, also after a reload @full', async ({ signedIn }) => {
  const navigation = signedIn.getByRole('navigation', { name: 'Main' });
  const width = async () => (await navigation.boundingBox())?.width ?? 0;
  expect(await width()).toBeGreaterThan(150);
  await navigation.getByRole('button', { name: 'Show icons only' }).click();
  await expect.poll(width).toBeLessThan(80);
  await signedIn.reload();
  await expect(navigation.getByRole('link', { name: 'Payouts' })).toBeVisible();
  expect(await width()).toBeLessThan(80);
  await navigation.getByRole('button', { name: 'Show names' }).click();
  await expect.poll(width).toBeGreaterThan(150);
});

test('shows a damaged database file and a full disk on every screen @full', async ({ signedIn }) => {
  let change: { status?: 'degraded'; database?: object; disk?: object } = {};
  // One route for the whole test: removing one while its response is pending would answer the request twice.
  await signedIn.route('**/health', async (route) => {
    const real = await route.fetch();
    const health = (await real.json()) as { database: object };
    const { database, ...rest } = change;
    await route.fulfill({ json: { ...health, ...rest, database: { ...health.database, ...database } } });
  });
  const main = signedIn.getByRole('main');
  change = { status: 'degraded', database: { status: 'damaged' } };
  await signedIn.reload();
  await expect(main.getByText(/A database file is damaged, so payments and all other changes are stopped\./)).toBeVisible();
  change = { status: 'degraded', disk: { status: 'full' } };
  await expect(main.getByText(/The disk is full, so payments and other changes fail\./)).toBeVisible();
  change = {};
  await expect(main.getByText(/The disk is full/)).toHaveCount(0);
});

test('shows an unavailable service on every screen until it answers again', async ({ signedIn, faults }) => {
  faults.expect(/ERR_FAILED/);
  await signedIn.clock.install();
  await signedIn.reload();
  await expect(signedIn.getByRole('navigation')).toBeVisible();
  await expect(signedIn.getByText('Offline')).toHaveCount(0);
  await signedIn.route('**/health', (route) => route.abort('failed'));
  await signedIn.clock.fastForward(15_000);
  await expect(signedIn.getByText(/The server isn’t responding/).first()).toBeVisible();
  await expect(signedIn.getByText('Offline')).toBeVisible();
  await signedIn.unroute('**/health');
  await signedIn.clock.fastForward(15_000);
  await expect(signedIn.getByText('Offline')).toHaveCount(0);
  await expect(signedIn.getByRole('main').getByText(/The server isn’t responding/)).toHaveCount(0);
});

test('explains an unknown address and links back @full', async ({ signedIn }) => {
  await signedIn.goto('/#/nowhere');
  await expect(signedIn.getByRole('heading', { name: 'Page not found' })).toBeVisible();
  await signedIn.getByRole('link', { name: 'Go to Sell' }).click();
  await expect(signedIn).toHaveURL(/#\/sell$/);
});

test('nothing is cut off horizontally on a small screen at 200 % zoom', async ({ signedIn, service }) => {
  const sale = await (await ApiSession.open(service)).sell({ amount: '19.00' });
  await signedIn.setViewportSize({ width: 640, height: 360 });
  // Content that does not fit scrolls and is not squeezed.
  const mark = signedIn.getByRole('navigation', { name: 'Main' }).locator('> div').first();
  await expect.poll(async () => (await mark.boundingBox())?.height).toBe(52);
  const list = new TransactionsPage(signedIn);
  for (const path of ['/#/transactions', `/#/transactions/${sale.transactionId}`]) {
    await signedIn.goto(path);
    await expect(signedIn.locator('[role=row][data-id]').first()).toBeAttached();
    await expect.poll(() => signedIn.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  }
  await expect.poll(async () => (await list.drawer.boundingBox())?.x).toBeGreaterThanOrEqual(0);
  await expect.poll(() => list.drawer.evaluate((drawer) => drawer.getBoundingClientRect().right)).toBeLessThanOrEqual(640);
});

test('sign-in, navigation and transactions have no accessibility fault in either color scheme @full', async ({ page, service }) => {
  const api = await ApiSession.open(service);
  const sale = await api.sell({ amount: '19.00' });
  const declined = await api.sell({ amount: '19.00', card: '4000000000000002' });
  const { keyboard } = page;
  await page.goto('/');
  const signInPage = new SignInPage(page);
  await expect(signInPage.signIn).toBeVisible();
  await expectAccessible(page, 'sign-in');
  await signInPage.enter(service.adminEmail, service.adminPassword);
  const list = new TransactionsPage(page);
  await expect(page.getByRole('navigation')).toBeVisible();
  await keyboard.press('F9');
  await expect(list.rows.first()).toBeVisible();
  await expectAccessible(page, 'list');
  await page.getByRole('button', { name: 'Period', exact: true }).click();
  await expectAccessible(page, 'period');
  await keyboard.press('Escape');
  await keyboard.press('Control+k');
  await expect(page.getByRole('combobox', { name: 'Go to anything' })).toBeFocused();
  await expectAccessible(page, 'palette');
  // Screen readers skip the page below an open drawer.
  await expect(page.getByRole('navigation')).toHaveCount(0);
  await keyboard.press('Escape');
  await page.getByRole('button', { name: /^Signed in as/ }).click();
  await expect(page.getByRole('menu')).toBeVisible();
  await expectAccessible(page, 'user menu');
  await keyboard.press('Escape');
  await expect(page.getByRole('menu')).toBeHidden();
  await list.find(sale.orderId);
  await expectAccessible(page, 'detail');
  await keyboard.press('r');
  await expect(list.amount).toBeFocused();
  await expectAccessible(page, 'give money back');
  await keyboard.type('99');
  await keyboard.press('Enter');
  await expectAccessible(page, 'too much');
  await keyboard.press('Escape');
  await list.find(declined.orderId);
  await list.action('More').click();
  await expect(page.getByRole('menu')).toBeVisible();
  await expectAccessible(page, 'declined, with more');
  await keyboard.press('Escape');
  await keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
  await expectAccessible(page, 'keys');
  await keyboard.press('Control+l');
  await expect(signInPage.unlock).toBeVisible();
  await expectAccessible(page, 'lock');
});

test('moves the test clock from any screen and lists the jobs that ran @full', async ({ signedIn }) => {
  await signedIn.goto('/#/transactions');
  await signedIn.keyboard.press('Control+k');
  await expect(signedIn.getByRole('combobox', { name: 'Go to anything' })).toBeFocused();
  await signedIn.keyboard.type('test clock');
  await signedIn.getByRole('option', { name: 'Move the test clock' }).click();
  const panel = signedIn.getByRole('dialog', { name: 'Test clock' });
  await expect(panel.getByRole('button', { name: '+1 min' })).toBeFocused();
  const clock = panel.locator('time');
  const before = Date.parse((await clock.getAttribute('datetime')) ?? '');
  await signedIn.keyboard.press('Tab');
  await signedIn.keyboard.press('Enter');
  await expect(panel).toContainText(/Nothing was due\.|Ran /);
  expect(Date.parse((await clock.getAttribute('datetime')) ?? '') - before).toBeGreaterThanOrEqual(3_599_000);
  await expectAccessible(signedIn, 'test clock');
  await signedIn.keyboard.press('Escape');
  await expect(panel).toBeHidden();
});
