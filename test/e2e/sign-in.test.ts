import { expect, test } from './fixtures.ts';
import { SellPage } from './pages/sell-page.ts';
import { SignInPage } from './pages/sign-in-page.ts';

test('reports a wrong password, keeps the email address and selects the password', async ({ page, service, faults }) => {
  faults.expect(/401/);
  const signInPage = new SignInPage(page);
  await page.goto('/');
  await signInPage.enter(service.adminEmail, 'not the password');
  await expect(page.getByRole('alert')).toContainText('The email address or the password is wrong.');
  await expect(signInPage.email).toHaveValue(service.adminEmail);
  await expect(signInPage.password).toBeFocused();
});

test('remembers the email address on this workstation, and then focuses the password', async ({ page, service }) => {
  const signInPage = new SignInPage(page);
  await page.goto('/');
  await signInPage.enter(service.adminEmail, service.adminPassword);
  await page.getByRole('button', { name: `Signed in as ${service.adminEmail}` }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(signInPage.email).toHaveValue(service.adminEmail);
  await expect(signInPage.password).toBeFocused();
  await page.keyboard.type(service.adminPassword);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Home', level: 1 })).toBeVisible();
});

test('covers everything while locked, and restores the form without card data after the password', async ({ signedIn, service }) => {
  const sell = new SellPage(signedIn);
  await sell.open();
  await sell.key({ amount: '47' });
  await signedIn.keyboard.press('Control+l');
  const signInPage = new SignInPage(signedIn);
  await expect(signInPage.password).toBeFocused();
  await expect(sell.amount).toBeHidden();
  await signedIn.keyboard.type(service.adminPassword);
  await signedIn.keyboard.press('Enter');
  await expect(sell.amount).toHaveValue(/^47/);
  await expect(sell.number).toHaveValue('');
  await expect(sell.code).toHaveValue('');
});

test('keeps the screen locked after a wrong password', async ({ signedIn, faults }) => {
  faults.expect(/401/);
  await signedIn.keyboard.press('Control+l');
  const signInPage = new SignInPage(signedIn);
  await signInPage.password.fill('not the password');
  await signedIn.keyboard.press('Enter');
  await expect(signedIn.getByRole('alert')).toBeVisible();
  await expect(signedIn.getByRole('navigation')).toBeHidden();
});

test('starts with an empty sale when another user signs in from the lock screen', async ({ signedIn, service }) => {
  await signedIn.keyboard.press('Control+l');
  await signedIn.getByRole('button', { name: 'Switch user' }).click();
  const signInPage = new SignInPage(signedIn);
  await signInPage.enter(service.adminEmail, service.adminPassword);
  await expect(signedIn.getByRole('navigation')).toBeVisible();
});

test('continues the session after a reload, and does not share it with a new window', async ({ signedIn, context }) => {
  await signedIn.reload();
  await expect(signedIn.getByRole('navigation')).toBeVisible();
  const other = await context.newPage();
  await other.goto('/');
  await expect(new SignInPage(other).signIn).toBeVisible();
});

test('locks the screen after fifteen idle minutes, after which a reload does not resume the session', async ({ page, service }) => {
  await page.clock.install();
  await page.goto('/');
  const signInPage = new SignInPage(page);
  await signInPage.enter(service.adminEmail, service.adminPassword);
  await expect(page.getByRole('navigation')).toBeVisible();
  await page.clock.fastForward('15:30');
  await expect(page.getByText('Locked after 15 minutes without activity.')).toBeVisible();
  await page.reload();
  await expect(signInPage.signIn).toBeVisible();
});

test('stores no token where other windows or later sessions could read it', async ({ signedIn }) => {
  const kept = await signedIn.evaluate(() => JSON.stringify({ ...localStorage }) + document.cookie);
  expect(kept).not.toMatch(/eyJ|ses_|token/i);
});

test('loads at most 250 KB of compressed JavaScript for the sign-in, and nothing of the tables', async ({ page }) => {
  const scripts: { name: string; bytes: Promise<number> }[] = [];
  page.on('requestfinished', (request) => {
    if (request.resourceType() !== 'script') return;
    scripts.push({ name: request.url(), bytes: request.sizes().then(({ responseBodySize }) => responseBodySize) });
  });
  await page.goto('/');
  await expect(new SignInPage(page).email).toBeFocused();
  expect(scripts.map(({ name }) => name).filter((name) => /data-table|chart|product/.test(name))).toEqual([]);
  const sizes = await Promise.all(scripts.map(({ bytes }) => bytes));
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  expect(bytes).toBeGreaterThan(50_000);
  expect(bytes).toBeLessThanOrEqual(250_000);
});
