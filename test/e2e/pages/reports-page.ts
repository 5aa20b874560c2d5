import { expect, type Locator, type Page } from '@playwright/test';

/** The reports over time, and the daily close. */
export class ReportsPage {
  readonly page: Page;
  readonly heading: Locator;
  readonly chart: Locator;
  readonly table: Locator;
  readonly figures: Locator;
  /** The only live region. */
  readonly announcement: Locator;

  constructor(page: Page) {
    this.page = page;
    this.heading = page.getByRole('heading', { name: 'Reports', level: 1 });
    this.chart = page.getByRole('listbox', { name: /./ });
    this.table = page.getByRole('table').first();
    this.figures = page.getByRole('region', { name: /^Figures/ });
    this.announcement = page.locator('[role=status][aria-live=polite]').first();
  }

  async open(path = '/daily-close'): Promise<void> {
    await this.page.goto(`/#/reports${path}`);
    await expect(this.heading).toBeVisible();
  }

  /** The figures of a row of the table under a chart. */
  async cells(key: string): Promise<string[]> {
    return this.table.locator(`tr[data-row="${key}"] td`).allTextContents();
  }

  /** A part of the day, such as "Declines". */
  part(title: string): Locator {
    return this.page.getByRole('region', { name: title });
  }
}
