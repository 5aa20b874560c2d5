import { expect, type Locator, type Page } from '@playwright/test';

/** The list of transactions and the details beside it. */
export class TransactionsPage {
  readonly page: Page;
  readonly heading: Locator;
  readonly search: Locator;
  readonly rows: Locator;
  readonly drawer: Locator;
  readonly amount: Locator;
  readonly reason: Locator;
  readonly clear: Locator;
  readonly exportCsv: Locator;
  /** The only live region. */
  readonly announcement: Locator;

  constructor(page: Page) {
    this.page = page;
    this.heading = page.getByRole('heading', { name: 'Transactions', level: 1 });
    this.search = page.getByRole('searchbox', { name: 'Search transactions' });
    this.rows = page.getByRole('grid', { name: 'Transactions' }).locator('[role=row][data-id]');
    this.drawer = page.getByRole('dialog', { name: 'Transaction' });
    this.amount = this.drawer.getByRole('textbox', { name: /^Amount/ });
    this.reason = this.drawer.getByRole('textbox', { name: /^Reason/ });
    this.clear = page.getByRole('button', { name: 'Clear filters' });
    this.exportCsv = page.getByRole('button', { name: 'Export CSV' });
    this.announcement = page.locator('[role=status][aria-live=polite]').first();
  }

  async open(query = ''): Promise<void> {
    await this.page.goto(`/#/transactions${query}`);
    await expect(this.heading).toBeVisible();
  }

  /** Finds the only transaction that matches a text and opens it by keyboard, from any screen. */
  async find(text: string): Promise<void> {
    await this.page.keyboard.press('F9');
    await expect(this.search).toBeFocused();
    await this.page.keyboard.type(text);
    await this.page.keyboard.press('Enter');
    await expect(this.drawer).toBeVisible();
  }

  action(name: string): Locator {
    return this.drawer.getByRole('button', { name, exact: true });
  }

  /** The amount below a label of the money line, such as "Remaining" → "10.00". */
  figure(name: string): Locator {
    return this.drawer.locator('dl').first().locator('div', { hasText: name }).locator('dd');
  }

  async chooseFilter(label: string, option: string): Promise<void> {
    await this.page.getByRole('button', { name: label, exact: true }).click();
    await this.page.getByRole('menuitemradio', { name: option }).click();
  }
}
