import { expect, type Locator, type Page } from '@playwright/test';

/** The business at a glance. */
export class HomePage {
  readonly page: Page;
  readonly heading: Locator;
  readonly today: Locator;
  readonly week: Locator;
  readonly needsAttention: Locator;
  readonly latest: Locator;

  constructor(page: Page) {
    this.page = page;
    this.heading = page.getByRole('heading', { name: 'Home', level: 1 });
    this.today = page.getByRole('region', { name: /^Today until / });
    this.week = page.getByRole('listbox', { name: 'Gross sales of the last 7 days' });
    this.needsAttention = page.getByRole('list', { name: 'Needs attention' });
    this.latest = page.getByRole('list', { name: 'Latest payments' });
  }

  async open(): Promise<void> {
    await this.page.goto('/#/home');
    await expect(this.heading).toBeVisible();
  }

  /** A part of the screen, such as "Next payout". */
  part(title: string): Locator {
    return this.page.getByRole('region', { name: title });
  }
}
