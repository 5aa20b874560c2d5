import { expect, type Locator, type Page } from '@playwright/test';

/** A day of reconciliation: its result, its lines and the details beside them. */
export class ReconciliationPage {
  readonly page: Page;
  readonly heading: Locator;
  readonly result: Locator;
  readonly rows: Locator;
  readonly drawer: Locator;
  readonly note: Locator;
  readonly dialog: Locator;
  /** The only live region. */
  readonly announcement: Locator;

  constructor(page: Page) {
    this.page = page;
    this.heading = page.getByRole('heading', { name: 'Reconciliation', level: 1 });
    // Also found below the open details, where screen readers do not see it.
    this.result = page.getByRole('region', { name: 'Result of the day', includeHidden: true });
    this.rows = page.getByRole('grid').locator('[role=row][data-id]');
    this.drawer = page.getByRole('dialog', { name: 'Line' });
    this.note = this.drawer.getByRole('textbox', { name: 'Note' });
    this.dialog = page.getByRole('dialog', { name: 'Import a processor file' });
    this.announcement = page.locator('[role=status][aria-live=polite]').first();
  }

  async open(date = '', query = ''): Promise<void> {
    await this.page.goto(`/#/reconciliation${date === '' ? '' : `/${date}`}${query}`);
    await expect(this.heading).toBeVisible();
  }

  /** The text that states the status of the day. */
  verdict(state: 'balanced' | 'explained' | 'out' | 'unsettled'): Locator {
    return this.result.locator(`[data-state=${state}]`);
  }

  day(date: string): Locator {
    return this.page.locator(`[data-date="${date}"]`);
  }

  tab(name: string): Locator {
    return this.page.getByRole('tab', { name });
  }

  /** Chooses a file in the dialog of the import. */
  async choose(name: string, lines: readonly string[]): Promise<void> {
    await this.page
      .getByLabel('Processor file', { exact: true })
      .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(lines.join('\r\n')) });
  }
}
