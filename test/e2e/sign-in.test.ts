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

test('names the end of a lock if the service names it @full', async ({ page, service, faults }) => {
  faults.expect(/401/);
  const details = { reason: 'locked', lockedUntil: new Date(2026, 10, 18, 15, 24).toISOString() };
  const error = { code: 'INVALID_CREDENTIALS', message: 'Sign-ins of this user are locked.', details };
  await page.route('**/public/accesstoken', (route) => route.fulfill({ status: 401, json: { success: false, error } }));
  await page.goto('/');
  await new SignInPage(page).enter(service.adminEmail, service.adminPassword);
  const time = await page.evaluate(
    (at) => new Date(at).toLocaleTimeString('en-US', { hour: 'numeric', minute: '2-digit' }),
    details.lockedUntil,
  );
  await expect(page.getByRole('alert')).toContainText(`locked until ${time}. A new password also ends the lock.`);
});

test('remembers the email address on this workstation, and then focuses the password @full', async ({ page, service }) => {
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

test('keeps the screen locked after a wrong password @full', async ({ signedIn, faults }) => {
  faults.expect(/401/);
  await signedIn.keyboard.press('Control+l');
  const signInPage = new SignInPage(signedIn);
  await signInPage.password.fill('not the password');
  await signedIn.keyboard.press('Enter');
  await expect(signedIn.getByRole('alert')).toBeVisible();
  await expect(signedIn.getByRole('navigation')).toBeHidden();
});

test('starts with an empty sale when another user signs in from the lock screen @full', async ({ signedIn, service }) => {
  await signedIn.keyboard.press('Control+l');
  await signedIn.getByRole('button', { name: 'Switch user' }).click();
  const signInPage = new SignInPage(signedIn);
  await signInPage.enter(service.adminEmail, service.adminPassword);
  await expect(signedIn.getByRole('navigation')).toBeVisible();
});

test('continues the session after a reload, and does not share it with a new window @full', async ({ signedIn }) => {
  await signedIn.reload();
  await expect(signedIn.getByRole('navigation')).toBeVisible();
  const other = await signedIn.context().newPage();
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

for (const [language, locale, tag] of [
  ['English', 'en-US', ''],
  ['Spanish', 'es-US', ' @full'],
] as const)
  test.describe(`in ${language}`, () => {
    test.use({ locale });

    test(`loads at most 250 KB of compressed JavaScript and 80 KB of translations for the ${language} sign-in${tag}`, async ({ page }) => {
      const loaded: { name: string; type: string; bytes: Promise<number> }[] = [];
      page.on('requestfinished', (request) => {
        const bytes = request.sizes().then(({ responseBodySize }) => responseBodySize);
        loaded.push({ name: request.url(), type: request.resourceType(), bytes });
      });
      await page.goto('/');
      await expect(page.locator('html')).toHaveAttribute('lang', locale.slice(0, 2));
      await expect(page.locator('#sign-in-email')).toBeFocused();
      const isScript = ({ type }: { type: string }) => type === 'script';
      const isCatalogue = ({ name }: { name: string }) => name.endsWith('.json');
      const sizeOf = async (files: typeof loaded) =>
        (await Promise.all(files.map(({ bytes }) => bytes))).reduce((sum, size) => sum + size, 0);

      expect(loaded.filter(isScript).filter(({ name }) => /data-table|chart|product/.test(name))).toEqual([]);
      const scripts = () => sizeOf(loaded.filter(isScript));
      // A script may run before its request is reported as finished.
      await expect.poll(scripts).toBeGreaterThan(50_000);
      expect(await scripts()).toBeLessThanOrEqual(250_000);
      if (language === 'Spanish') await expect.poll(() => loaded.filter(isCatalogue).length).toBe(2);
      const catalogues = await sizeOf(loaded.filter(isCatalogue));
      expect(catalogues).toBeLessThanOrEqual(language === 'English' ? 0 : 80_000);
    });
  });
