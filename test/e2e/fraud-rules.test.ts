import { ApiSession } from './api-session.ts';
import { expect, test } from './fixtures.ts';

interface Merchant {
  readonly merchantId: string;
}
interface FraudSettings {
  readonly maxAmountByCurrency: Readonly<Record<string, number>>;
}

const pathOf = async (api: ApiSession) => {
  const { data: merchants } = await api.read<Merchant[]>('/merchants');
  return `/merchants/${merchants[0]?.merchantId}/fraud-settings`;
};

let before: FraudSettings;
test.beforeEach(async ({ service }) => {
  const api = await ApiSession.open(service);
  before = (await api.read<FraudSettings>(await pathOf(api))).data;
});
/** Other tests of this service pay more than the limits of this one. */
test.afterEach(async ({ service }) => {
  const api = await ApiSession.open(service);
  await api.put(await pathOf(api), before);
});

test('refuses a second amount of a currency at the field, and saves one amount per currency @full', async ({ signedIn: page, service }) => {
  const api = await ApiSession.open(service);
  const path = await pathOf(api);
  const saved = async () => (await api.read<FraudSettings>(path)).data.maxAmountByCurrency;
  await page.goto('/#/settings/fraud');
  const amounts = page.getByLabel('Max amounts in other currencies');
  const save = page.getByRole('button', { name: 'Save', exact: true });
  await amounts.fill('EUR 500, GBP 400, eur 300');
  await expect(page.getByText('EUR has two amounts. Enter one per currency.')).toBeVisible();
  await expect(amounts).toHaveAttribute('aria-invalid', 'true');
  await save.click();
  await expect(amounts).toBeFocused();
  await page.keyboard.press('Control+s');
  expect(await saved()).toEqual({});
  await expect(page.getByRole('button', { name: /^(EUR|GBP) \d+$/i })).toHaveText(['EUR 500', 'GBP 400', 'eur 300']);

  await page.getByLabel('Max amount', { exact: true }).fill('600');
  await amounts.press('Backspace');
  await amounts.fill('USD 400');
  await expect(page.getByText('USD is the currency of the max amount. Remove it here.')).toBeVisible();
  await amounts.fill('');
  await expect(amounts).toHaveAttribute('aria-invalid', 'false');
  await save.click();
  await expect(page.getByText('Saved. Applies from the next payment.')).toBeVisible();
  expect(await saved()).toEqual({ EUR: 500, GBP: 400 });
});
