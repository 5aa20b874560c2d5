import type { Page } from '@playwright/test';
import { expectAccessible } from './accessibility.ts';
import { expect, test } from './fixtures.ts';
import { openDesk } from './pages/desk.ts';

interface Standing {
  gatewayId: string;
  merchantId: string;
  name: string;
  status: string;
  currency: string | null;
  health: { state: string; since: string | null };
}

/** Has the service answer as if the demo's own merchant had these live gateways, each in this state. */
async function play(page: Page, states: Readonly<Record<string, string>>, since: string | null = null, more = {}): Promise<void> {
  // The latest route answers. An earlier one stays, since a request may be under way in it.
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

test('a gateway that stops answering is named on every screen, with where payments go, until it answers again', async ({
  signedIn,
  service,
}) => {
  const desk = await openDesk(service);
  const banner = signedIn
    .getByRole('main')
    .getByText(/has not answered since/)
    .first();
  await play(signedIn, { NMI: 'open', 'Authorize.Net': 'closed' }, minutesAgo(3));
  // Any change of the merchant is told in the same way.
  await desk.change('settings', {});
  await expect(banner).toHaveText(/^NMI has not answered since .*\d{1,2}:\d\d [AP]M\. New payments go to Authorize\.Net\.$/);
  await signedIn.goto('/#/transactions');
  await expect(banner).toBeVisible();

  await play(signedIn, { NMI: 'open', 'Authorize.Net': 'open' }, minutesAgo(3));
  await desk.change('settings', {});
  await expect(banner).toHaveText(/New payments are refused until one of them does\.$/);

  await play(signedIn, { NMI: 'open' }, minutesAgo(3));
  await desk.change('settings', {});
  await expect(banner).toHaveText(/New payments are refused until it does\.$/);

  await play(signedIn, { NMI: 'half-open', 'Authorize.Net': 'closed' });
  await desk.change('settings', {});
  await expect(banner).toBeHidden();
  // Nobody knows yet: one payment tries it first.
  await expect(signedIn.getByText(/answers? again\.$/)).toHaveCount(0);

  await play(signedIn, { NMI: 'closed', 'Authorize.Net': 'closed' });
  await desk.change('settings', {});
  await expect(signedIn.getByText('NMI answers again.')).toBeAttached();
});

test('an account that the processor refuses is not called silent', async ({ signedIn }) => {
  await play(signedIn, { NMI: 'open', 'Authorize.Net': 'closed' }, minutesAgo(3), {
    isRefused: true,
    lastReason: 'The key is not known.',
  });
  await signedIn.reload();
  const main = signedIn.getByRole('main');
  await expect(
    main.getByText('NMI refuses the account: The key is not known. New payments go to Authorize.Net. See Settings, Gateways.'),
  ).toBeVisible();
  await expect(main.getByText('has not answered')).toHaveCount(0);
});

test('the words of an outage can be read by everybody, on a small screen too', async ({ signedIn }) => {
  await play(signedIn, { NMI: 'open', 'Authorize.Net': 'open', 'A third one with a long name of its own': 'open' }, minutesAgo(2_000));
  await signedIn.reload();
  await expect(signedIn.getByRole('main').getByText(/NMI has not answered since/)).toBeVisible();
  await expectAccessible(signedIn, 'an outage');
  await signedIn.setViewportSize({ width: 640, height: 360 });
  expect(await signedIn.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
});
