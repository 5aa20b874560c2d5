import { CLIENT_ID, CLIENT_SECRET, type CompanyProvider, startCompanyProvider } from '../support/company-provider.ts';
import { expect, test } from './fixtures.ts';

let company: CompanyProvider;
test.beforeAll(async () => {
  company = await startCompanyProvider(['http://127.0.0.1/company-sign-in']);
});
test.afterAll(() => company.stop());

test('sets up company sign-in, and signs in at the provider in the same window', async ({ signedIn, page, faults }) => {
  await signedIn.goto('/#/settings/security');
  await signedIn.getByLabel('Offer company sign-in').check();
  await signedIn.getByLabel('Name on the sign-in screen').fill('Harbor Company');
  await signedIn.getByLabel('Address of the provider (issuer)').fill(company.issuer);
  await signedIn.getByLabel('Client ID').fill(CLIENT_ID);
  await signedIn.getByLabel('Client secret', { exact: true }).fill(CLIENT_SECRET);
  await signedIn.getByRole('button', { name: 'Add group' }).click();
  await signedIn.getByRole('combobox', { name: 'Group', exact: true }).fill('Tills');
  await signedIn.getByLabel('Role').click();
  await signedIn.getByRole('option', { name: 'Manager' }).click();
  await signedIn.getByRole('button', { name: 'Save company sign-in' }).click();
  await expect(signedIn.getByText('Company sign-in saved.')).toBeVisible();
  await expect(signedIn.getByLabel('Redirect address to register')).toHaveValue(/\/company-sign-in$/);

  // An account without a group learns the reason.
  faults.expect(/401/);
  company.accounts.set('ada', { email: 'ada@harbor.example', name: 'Ada Marsh', groups: ['Everyone'] });
  const signInAs = async (account: string) => {
    await page.getByRole('button', { name: 'Sign in with Harbor Company' }).click();
    await page.locator('input[name="login"]').fill(account);
    await page.locator('input[name="password"]').fill('any');
    await page.locator('button[type="submit"]').click();
    // The second button is that of the next page.
    await expect(page.locator('input[name="login"]')).toHaveCount(0);
    await page.locator('button[type="submit"]').click();
  };
  await page.goto('/');
  await signInAs('ada');
  await expect(page.getByRole('alert')).toContainText('None of your groups has a role in Paydesk.');
  expect(new URL(page.url()).search).toBe('');

  company.accounts.set('ada', { email: 'ada@harbor.example', name: 'Ada Marsh', groups: ['Tills'] });
  await page.getByRole('button', { name: 'Back to sign-in' }).click();
  await page.getByRole('button', { name: 'Sign in with Harbor Company' }).click();
  // The provider knows the person, and asks a native client for the consent only.
  await page.locator('button[type="submit"]').click();
  await expect(page.getByRole('heading', { name: 'Home', level: 1 })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Signed in as ada@harbor.example' })).toBeVisible();

  // Signing out ends the session at the provider, too, which asks first.
  await page.getByRole('button', { name: 'Signed in as ada@harbor.example' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('button', { name: 'Yes, sign me out' }).click();
  await expect(page.getByRole('button', { name: 'Sign in with Harbor Company' })).toBeVisible();

  // The provider may sign in as a user who exists already, once an administrator allows it.
  await signedIn.goto('/#/users');
  await expect(signedIn.getByRole('grid', { name: 'Users' })).toBeVisible();
  await signedIn.keyboard.press('n');
  await expect(signedIn.locator('input:focus')).toBeVisible();
  await signedIn.keyboard.type('grace@harbor.example');
  await signedIn.keyboard.press('Enter');
  await expect(signedIn.getByRole('dialog', { name: 'Invitation for grace@harbor.example' })).toBeVisible();
  await signedIn.keyboard.press('Enter');
  await signedIn.getByRole('gridcell', { name: 'grace@harbor.example' }).click();
  await signedIn.getByRole('button', { name: 'More', exact: true }).click();
  await signedIn.getByRole('menuitem', { name: 'Allow company account' }).click();
  await expect(signedIn.getByText(/can sign in as this user within a week/)).toBeVisible();
});

test('hands an answer that this browser did not ask for to the service, which refuses it @full', async ({ page, faults }) => {
  faults.expect(/401/);
  await page.goto('/company-sign-in?code=stolen&state=unknown');
  await expect(page.getByRole('alert')).toContainText('This sign-in has expired.');
});
