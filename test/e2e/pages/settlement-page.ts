import { expect, type Locator, type Page } from '@playwright/test';

/** The settlement screen: its totals, their lines, and the open details. */
export class SettlementPage {
  readonly page: Page;
  readonly heading: Locator;
  readonly rows: Locator;
  readonly total: Locator;
  readonly cutoff: Locator;
  readonly settlement: Locator;
  readonly batch: Locator;
  readonly payout: Locator;
  readonly dialog: Locator;
  /** The only live region. */
  readonly announcement: Locator;

  constructor(page: Page) {
    this.page = page;
    this.heading = page.getByRole('heading', { name: 'Payouts', level: 1 });
    this.rows = page.getByRole('grid').locator('[role=row][data-id]');
    this.total = page.locator('[data-total]');
    this.cutoff = page.locator('[data-cutoff]');
    this.settlement = page.getByRole('dialog', { name: 'Settlement', exact: true });
    this.batch = page.getByRole('dialog', { name: 'Batch', exact: true });
    this.payout = page.getByRole('dialog', { name: 'Payout', exact: true });
    this.dialog = page.locator('form[novalidate]').last();
    this.announcement = page.locator('[role=status][aria-live=polite]').first();
  }

  async open(query = ''): Promise<void> {
    await this.page.goto(`/#/settlement${query}`);
    await expect(this.heading).toBeVisible();
    await expect(this.figure('Unsettled now')).toBeVisible();
  }

  /** A total of the header, as a link to its lines. */
  figure(name: string): Locator {
    return this.page.locator(`[data-figure="${name}"]`).getByRole('link');
  }

  /** The amount of a total in the header, such as "1,204.50". */
  async amountOf(name: string): Promise<string> {
    const label = (await this.figure(name).getAttribute('aria-label')) ?? '';
    return /: (-?[\d,.]+) /.exec(label)?.[1] ?? '';
  }

  /** A part of the sum in the drawer, in cents. */
  async cents(part: RegExp): Promise<number> {
    const text = (await this.settlement.locator('[data-part]').filter({ hasText: part }).locator('dd').textContent()) ?? '';
    return centsOf(text.replace(/^− /, ''));
  }
}

/** "1,204.50 USD" in cents; a true minus sign counts. */
export function centsOf(text: string): number {
  const digits = Number(text.replace(/[^\d]/g, ''));
  return /^\s*[−-]/.test(text) ? -digits : digits;
}
