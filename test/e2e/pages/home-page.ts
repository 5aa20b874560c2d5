import { expect, type Locator, type Page } from '@playwright/test';

/** The business at a glance. */
export class HomePage {
  readonly page: Page;
  readonly heading: Locator;
  readonly toDo: Locator;
  readonly latest: Locator;

  constructor(page: Page) {
    this.page = page;
    this.heading = page.getByRole('heading', { name: 'Home', level: 1 });
    this.toDo = page.getByRole('list', { name: 'To do' });
    this.latest = page.getByRole('list', { name: 'Latest payments' });
  }

  async open(): Promise<void> {
    await this.page.goto('/#/home');
    await expect(this.heading).toBeVisible();
  }

  /** A head figure, which shows itself in the chart. */
  figure(name: string): Locator {
    return this.page.getByRole('group', { name: 'Figures' }).getByRole('button', { name: new RegExp(`^${name}`) });
  }

  /** A part of the screen, such as "Payouts". */
  part(title: string): Locator {
    return this.page.getByRole('region', { name: title });
  }
}
