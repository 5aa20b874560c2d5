import { expect, test } from './fixtures.ts';
import { SellPage } from './pages/sell-page.ts';
import { SignInPage } from './pages/sign-in-page.ts';

test('a wrong password is said in words, keeps the address and selects the password', async ({ page, service, faults }) => {
  faults.expect(/401/);
  const door = new SignInPage(page);
  await page.goto('/');
  await door.enter(service.adminEmail, 'not the password');
  await expect(page.getByRole('alert')).toContainText('The email address or the password is wrong.');
  await expect(door.email).toHaveValue(service.adminEmail);
  await expect(door.password).toBeFocused();
});

test('the address is remembered on this workstation, and the password is then the first field', async ({ page, service }) => {
  const door = new SignInPage(page);
  await page.goto('/');
  await door.enter(service.adminEmail, service.adminPassword);
  await page.getByRole('button', { name: `Signed in as ${service.adminEmail}` }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(door.email).toHaveValue(service.adminEmail);
  await expect(door.password).toBeFocused();
  await page.keyboard.type(service.adminPassword);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Sell', level: 1 })).toBeVisible();
});

test('the lock covers everything, and the password brings back the form without card data', async ({ signedIn, service }) => {
  const sell = new SellPage(signedIn);
  await sell.open();
  await sell.key({ amount: '47' });
  await signedIn.keyboard.press('Control+l');
  const door = new SignInPage(signedIn);
  await expect(door.password).toBeFocused();
  await expect(sell.amount).toBeHidden();
  await signedIn.keyboard.type(service.adminPassword);
  await signedIn.keyboard.press('Enter');
  await expect(sell.amount).toHaveValue(/^47/);
  await expect(sell.number).toHaveValue('');
  await expect(sell.code).toHaveValue('');
});

test('a wrong password at the lock opens nothing', async ({ signedIn, faults }) => {
  faults.expect(/401/);
  await signedIn.keyboard.press('Control+l');
  const door = new SignInPage(signedIn);
  await door.password.fill('not the password');
  await signedIn.keyboard.press('Enter');
  await expect(signedIn.getByRole('alert')).toBeVisible();
  await expect(signedIn.getByRole('navigation')).toBeHidden();
});

test('somebody else signs in from the lock and finds a fresh desk', async ({ signedIn, service }) => {
  await signedIn.keyboard.press('Control+l');
  await signedIn.getByRole('button', { name: 'Someone else' }).click();
  const door = new SignInPage(signedIn);
  await door.enter(service.adminEmail, service.adminPassword);
  await expect(signedIn.getByRole('navigation')).toBeVisible();
});

test('a reload goes on with the session, and a new window does not share it', async ({ signedIn, context }) => {
  await signedIn.reload();
  await expect(signedIn.getByRole('navigation')).toBeVisible();
  const other = await context.newPage();
  await other.goto('/');
  await expect(new SignInPage(other).signIn).toBeVisible();
});

test('fifteen idle minutes lock the screen, and a session left that long is not taken up by a reload', async ({ page, service }) => {
  await page.clock.install();
  await page.goto('/');
  const door = new SignInPage(page);
  await door.enter(service.adminEmail, service.adminPassword);
  await expect(page.getByRole('navigation')).toBeVisible();
  await page.clock.fastForward('15:30');
  await expect(page.getByText('Nobody was here for 15 minutes.')).toBeVisible();
  await page.reload();
  await expect(door.signIn).toBeVisible();
});

test('no token is kept where other windows or a later day could find it', async ({ signedIn }) => {
  const kept = await signedIn.evaluate(() => JSON.stringify({ ...localStorage }) + document.cookie);
  expect(kept).not.toMatch(/eyJ|ses_|token/i);
});
