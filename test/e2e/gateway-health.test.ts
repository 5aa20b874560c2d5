import type { Page } from '@playwright/test';
import { expectAccessible } from './accessibility.ts';
import { expect, test } from './fixtures.ts';
import { openMerchantApi } from './pages/merchant-api.ts';

interface Standing {
  gatewayId: string;
  merchantId: string;
  name: string;
  status: string;
  currency: string | null;
  health: { state: string; since: string | null };
}

/** Makes the service answer as if the demo's own merchant had these live gateways in these states. */
async function play(page: Page, states: Readonly<Record<string, string>>, since: string | null = null, more = {}): Promise<void> {
  // The latest route answers. An earlier one remains, because a request may still use it.
  await page.route('**/gateways/health', async (route) => {
    const response = await route.fetch();
    const { data } = (await response.json()) as { data: Standing[] };
    const shown = data.slice(0, 1).flatMap((gateway) =>
      Object.entries(states).map(([name, state]) => ({
        ...gateway,
        gatewayId: name,
        name,
        currency: 'USD',
        health: { ...gateway.health, state, since, ...(state === 'open' && more) },
      })),
    );
    await route.fulfill({ response, json: { success: true, data: shown } });
  });
}

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

test('names an unavailable gateway and the gateway that takes its payments on every screen until it answers again', async ({
  signedIn,
  service,
}) => {
  const merchantApi = await openMerchantApi(service);
  const banner = signedIn
    .getByRole('main')
    .getByText(/hasn’t responded since/)
    .first();
  await play(signedIn, { NMI: 'open', 'Authorize.Net': 'closed' }, minutesAgo(3));
  // Any change of the merchant is notified in the same way.
  await merchantApi.change('settings', {});
  await expect(banner).toHaveText(/^NMI hasn’t responded since .*\d{1,2}:\d\d [AP]M\. New payments go to Authorize\.Net\.$/);
  await signedIn.goto('/#/transactions');
  await expect(banner).toBeVisible();

  await play(signedIn, { NMI: 'open', 'Authorize.Net': 'open' }, minutesAgo(3));
  await merchantApi.change('settings', {});
  await expect(banner).toHaveText(/New payments are rejected until one of them does\.$/);

  await play(signedIn, { NMI: 'open' }, minutesAgo(3));
  await merchantApi.change('settings', {});
  await expect(banner).toHaveText(/New payments are rejected until it does\.$/);

  await play(signedIn, { NMI: 'half-open', 'Authorize.Net': 'closed' });
  await merchantApi.change('settings', {});
  await expect(banner).toBeHidden();
  // The state is still unknown: one payment tries the gateway first.
  await expect(signedIn.getByText(/responds? again\.$/)).toHaveCount(0);

  await play(signedIn, { NMI: 'closed', 'Authorize.Net': 'closed' });
  await merchantApi.change('settings', {});
  await expect(signedIn.getByText('NMI responds again.')).toBeAttached();
});

test('reports an account refused by the processor as refused, not as unavailable @full', async ({ signedIn }) => {
  await play(signedIn, { NMI: 'open', 'Authorize.Net': 'closed' }, minutesAgo(3), {
    isRefused: true,
    lastReason: 'The key is not known.',
  });
  await signedIn.reload();
  const main = signedIn.getByRole('main');
  await expect(
    main.getByText('NMI rejects the account: The key is not known. New payments go to Authorize.Net. See Settings > Gateways.'),
  ).toBeVisible();
  await expect(main.getByText('has not responded')).toHaveCount(0);
});

test('the text of an outage is accessible, also on a small screen @full', async ({ signedIn }) => {
  await play(signedIn, { NMI: 'open', 'Authorize.Net': 'open', 'A third one with a long name of its own': 'open' }, minutesAgo(2_000));
  await signedIn.reload();
  await expect(signedIn.getByRole('main').getByText(/NMI hasn’t responded since/)).toBeVisible();
  await expectAccessible(signedIn, 'an outage');
  await signedIn.setViewportSize({ width: 640, height: 360 });
  expect(await signedIn.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
});
