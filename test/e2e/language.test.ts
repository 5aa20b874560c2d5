import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import spanish from '../../renderer/base/language/es.json' with { type: 'json' };
import spanishOfService from '../../renderer/base/language/service.es.json' with { type: 'json' };
import spanishOfSignIn from '../../renderer/base/language/sign-in.es.json' with { type: 'json' };
import { ApiSession } from './api-session.ts';
import { expect, type Service, test } from './fixtures.ts';
import { SellPage } from './pages/sell-page.ts';

const SPANISH: Readonly<Record<string, string>> = { ...spanish, ...spanishOfSignIn };
const OF_SERVICE: Readonly<Record<string, string>> = spanishOfService;
const PASSWORD = 'a long password of the shop';
type Translate = (text: string, values?: Readonly<Record<string, string>>) => string;

/** Returns a function that translates texts of the screens, with values for their placeholders. */
function textsIn(language: 'en' | 'es'): Translate {
  return (text, values = {}) =>
    Object.entries(values).reduce(
      (result, [name, value]) => result.replace(`{{${name}}}`, value),
      language === 'en' ? text : (SPANISH[text] ?? `no translation of ${text}`),
    );
}

const en = textsIn('en');
const es = textsIn('es');

test.describe('with a browser in Spanish', () => {
  test.use({ locale: 'es-US' });

  test('shows the sign-in page in the language of the browser, and in another one after its button', async ({ page }) => {
    await page.goto('/');
    await expectSignInPage(page, es, 'es');
    await page.getByRole('button', { name: 'English', exact: true }).click();
    await expectSignInPage(page, en, 'en');
    await page.reload();
    await expectSignInPage(page, en, 'en');
    await page.getByRole('button', { name: 'Español', exact: true }).click();
    await expectSignInPage(page, es, 'es');
  });

  test('shows a usable page in English if the Spanish texts cannot be loaded, and loads them again after the button @full', async ({
    page,
    service,
    faults,
  }) => {
    faults.expect(/Failed to load resource.*\.json/);
    const catalogues = /\/assets\/.*\.json$/;
    await page.route(catalogues, (route) => route.abort());
    await page.goto('/');
    await expectSignInPage(page, en, 'en');
    await signIn(page, en, service.adminEmail, service.adminPassword);
    await expect(page.getByRole('navigation', { name: en('Main') })).toBeVisible();
    await page.getByRole('button', { name: en('Signed in as {{email}}', { email: service.adminEmail }) }).click();
    await page.getByRole('menuitem', { name: en('Sign out') }).click();
    await expectSignInPage(page, en, 'en');
    await page.unroute(catalogues);
    await page.getByRole('button', { name: 'Español', exact: true }).click();
    await expectSignInPage(page, es, 'es');
  });

  test('shows the sign-in page before the texts of the service are loaded, and its messages in Spanish @full', async ({
    page,
    service,
    faults,
  }) => {
    faults.expect(/422/);
    const message = 'There were too many wrong codes. Request a new one.';
    const hold = Promise.withResolvers<void>();
    await page.route(/\/assets\/service\.es-.*\.json$/, async (route) => {
      await hold.promise;
      await route.continue();
    });
    await page.route('**/api/v1/public/accesstoken', (route) =>
      route.fulfill({ status: 422, json: { success: false, error: { code: 'VALIDATION_ERROR', message } } }),
    );
    await page.goto('/');
    await expectSignInPage(page, es, 'es');
    const refused = page.waitForResponse('**/api/v1/public/accesstoken');
    await signIn(page, es, service.adminEmail, service.adminPassword);
    await refused;
    await expect(page.getByRole('alert')).toHaveCount(0);
    hold.resolve();
    await expect(page.getByRole('alert')).toContainText(OF_SERVICE[message] ?? 'no translation');
  });

  test('shows statuses in the gender of their record @full', async ({ signedIn: page }) => {
    await page.goto('/#/transactions');
    const statuses = page.getByRole('grid').locator('[data-state=approved], [data-state=settled]');
    await expect(statuses.first()).toHaveText(/^(Aprobada|Liquidada)$/);
    await page.goto('/#/settlement?tab=history');
    await expect(page.getByRole('grid').locator('[data-state=paid], [data-state=pending]').first()).toHaveText(/^(Pagada|Pendiente)$/);
  });

  test('shows the actions of the audit log and of security activity, and the fields of their details @full', async ({ signedIn: page }) => {
    // The details are the first column that a narrow list hides.
    await page.setViewportSize({ width: 1920, height: 900 });
    await page.goto('/#/audit?action=session.started');
    await expect(page.getByRole('gridcell', { name: 'Inició sesión', exact: true }).first()).toBeVisible();
    await page.goto('/#/system');
    await page.getByRole('tab', { name: es('Security activity'), exact: true }).click();
    const row = page.getByRole('row').filter({ hasText: 'Inició sesión' }).first();
    await expect(row.locator('[data-field=details]')).toHaveText(/^Tipo: /);
  });

  test('shows no English text of the catalogue on any screen of the navigation @full', async ({ signedIn: page }) => {
    const data = new Set<string>();
    page.on('response', async (response) => {
      if (new URL(response.url()).pathname.startsWith('/api/')) addStrings(await response.json().catch(() => null), data);
    });
    await page.reload();
    const navigation = page.getByRole('navigation', { name: es('Main') });
    await expect(navigation).toBeVisible();
    const paths = new Set<string>(['#/webhooks', '#/settings/profile', '#/recurring', '#/customers']);
    /** Adds the links of the navigation and of the column of its area. */
    const addPaths = async () => {
      const links = page.getByRole('navigation').locator('a[href^="#"]');
      for (const path of await links.evaluateAll((found) => found.map((link) => link.getAttribute('href') ?? ''))) paths.add(path);
    };
    await addPaths();
    const english: string[] = [];
    for (const path of paths) {
      await page.goto(`/${path}`);
      await expect(page.locator('[data-area] h1')).toBeVisible();
      await expect(page.getByRole('progressbar')).toHaveCount(0);
      await addPaths();
      for (const text of await textsOf(page)) if (isEnglish(text) && !data.has(text)) english.push(`${path}: ${text}`);
    }
    expect(paths.size).toBeGreaterThan(35);
    expect(english).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.lang)).toBe('es');
  });
});

test('shows the language that a user chose until the sign-out and after the next sign-in, until the user chooses that of the computer @full', async ({
  page,
  service,
}) => {
  const email = `lengua-${randomUUID().slice(0, 8)}@demo.example`;
  await createManager(service, email);
  await page.goto('/');
  await signIn(page, en, email);
  await chooseLanguage(page, en, email, 'Español');
  await expect(page.getByRole('navigation', { name: es('Main') })).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('lang', 'es');

  await page.getByRole('button', { name: es('Signed in as {{email}}', { email }) }).click();
  await page.getByRole('menuitem', { name: es('Sign out') }).click();
  // The computer is in English.
  await expectSignInPage(page, en, 'en');
  await signIn(page, en, email);
  await expect(page.getByRole('navigation', { name: es('Main') })).toBeVisible();

  await chooseLanguage(page, es, email, es('As on this computer'));
  await expect(page.getByRole('navigation', { name: en('Main') })).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('lang', 'en');
});

for (const [language, locale, amount, tag] of [
  ['en', 'en-US', '61.87', ' @full'],
  ['es', 'es-US', '61.88', ''],
] as const)
  test.describe(`in ${locale}`, () => {
    test.use({ locale });

    test(`sells, shows the receipt and refunds a part with the same keys (${language})${tag}`, async ({ signedIn: page, strokes }) => {
      const t = textsIn(language);
      const field = page.getByRole('textbox', { name: t('Amount'), exact: true });
      await page.goto('/#/sell');
      await expect(field).toBeFocused();
      await strokes.reset();
      await new SellPage(page).sell({ amount });
      await expect(page.getByRole('heading', { name: t('Approved') })).toBeVisible();
      const transactionId = (await page.locator('[data-result]').getByText(/^txn_/).textContent()) ?? '';
      await page.keyboard.press('Enter');
      await expect(field).toBeFocused();

      const receipt = t('Receipt for {{method}}, {{amount}}', { method: 'Visa ••1111', amount });
      await page.getByRole('button', { name: receipt, exact: true }).first().press('Enter');
      const dialog = page.getByRole('dialog', { name: t('Receipt'), exact: true });
      await expect(dialog.frameLocator('iframe').getByText(amount).first()).toBeVisible();
      await page.keyboard.press('Escape');
      await expect(dialog).toBeHidden();

      await page.keyboard.press('F9');
      await expect(page.getByRole('searchbox', { name: t('Search transactions') })).toBeFocused();
      await page.keyboard.type(transactionId);
      await page.keyboard.press('Enter');
      const drawer = page.getByRole('dialog', { name: t('Transaction'), exact: true });
      await expect(drawer).toBeVisible();
      await page.keyboard.press('r');
      const refund = drawer.getByRole('textbox', { name: new RegExp(`^${t('Amount')}`) });
      await expect(refund).toBeFocused();
      await page.keyboard.type('1');
      await page.keyboard.press('Enter');
      const remaining = drawer
        .locator('dl')
        .first()
        .locator('div', { hasText: t('Remaining') })
        .locator('dd');
      await expect(remaining).toHaveText(language === 'en' ? '60.87' : '60.88');
      // 35 for the sale, 1 for the next one, 2 for the receipt, and 5 besides the transaction ID for the refund.
      await expect.poll(() => strokes.keys()).toBe(43 + transactionId.length);
      expect(strokes.clicks()).toBe(0);
    });
  });

async function expectSignInPage(page: Page, t: Translate, language: string): Promise<void> {
  await expect(page.getByRole('button', { name: t('Sign in'), exact: true })).toBeVisible();
  await expect(page.getByLabel(t('Password'), { exact: true })).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('lang', language);
}

async function createManager(service: Service, email: string): Promise<void> {
  const api = await ApiSession.open(service);
  const { data: me } = await api.read<{ merchants: { merchantId: string }[] }>('/auth/me');
  await api.post(`/merchants/${me.merchants[0]?.merchantId}/users`, { email, role: 'manager', password: PASSWORD });
}

async function signIn(page: Page, t: Translate, email: string, password = PASSWORD): Promise<void> {
  await page.getByLabel(t('Email'), { exact: true }).fill(email);
  await page.getByLabel(t('Password'), { exact: true }).fill(password);
  await page.getByRole('button', { name: t('Sign in'), exact: true }).click();
}

/** Chooses a language in the account dialog of a page that is in another one. */
async function chooseLanguage(page: Page, t: Translate, email: string, option: string): Promise<void> {
  await page.getByRole('button', { name: t('Signed in as {{email}}', { email }) }).click();
  await page.getByRole('menuitem', { name: t('Your account') }).click();
  const dialog = page.getByRole('dialog', { name: t('Your account') });
  await dialog.getByRole('combobox', { name: t('Language') }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
  await dialog.getByRole('button', { name: t('Save'), exact: true }).click();
}

/** Returns true for a text of the screens or of the service that has a different translation. */
function isEnglish(text: string): boolean {
  const isTranslated = (catalogue: Readonly<Record<string, string>>) => Object.hasOwn(catalogue, text) && catalogue[text] !== text;
  return isTranslated(SPANISH) || (/ .*\.$/.test(text) && isTranslated(OF_SERVICE));
}

/** Adds each text of a response of the service, such as names that a person entered. */
function addStrings(value: unknown, found: Set<string>): void {
  if (typeof value === 'string') found.add(value);
  else if (typeof value === 'object' && value !== null) for (const part of Object.values(value)) addStrings(part, found);
}

/** Returns the texts of a page, including those of attributes. */
function textsOf(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const texts = new Set<string>();
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const parent = walker.currentNode.parentElement;
      if (!parent?.checkVisibility()) continue;
      // Places where an address may break divide its text.
      const { textContent } = parent.querySelector(':scope > wbr') ? parent : walker.currentNode;
      texts.add(textContent?.trim() ?? '');
    }
    for (const name of ['aria-label', 'title', 'placeholder'])
      for (const element of document.body.querySelectorAll(`[${name}]`)) texts.add(element.getAttribute(name) ?? '');
    return [...texts];
  });
}
