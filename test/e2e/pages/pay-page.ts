import type { Locator, Page } from '@playwright/test';

const TABS_MAX = 40;

interface Card {
  readonly number?: string;
  readonly email?: string;
}

/** The hosted pay page from the payer's view. */
export class PayPage {
  readonly page: Page;
  readonly button: Locator;
  readonly paid: Locator;
  readonly faults: Locator;

  constructor(page: Page) {
    this.page = page;
    this.button = page.locator('#submit');
    this.paid = page.getByRole('heading', { name: 'Paid. Thank you.' });
    this.faults = page.getByRole('alert');
  }

  field(name: 'amount' | 'tipAmount' | 'number' | 'expiry' | 'cvv' | 'zip' | 'routing' | 'account' | 'name' | 'email'): Locator {
    return this.page.locator(`#${name}`);
  }

  async fillCard({ number = '4111111111111111', email = '' }: Card = {}): Promise<void> {
    const values = { number, expiry: '12/39', cvv: '123', zip: '04101', name: 'Ann Marsh', email } as const;
    for (const [name, value] of Object.entries(values)) await this.field(name as keyof typeof values).fill(value);
  }

  /** Presses Tab until the element has the focus. */
  async tabTo(target: Locator): Promise<void> {
    for (let tabs = 0; tabs < TABS_MAX; tabs += 1) {
      if (await target.evaluate((element) => element === document.activeElement)) return;
      await this.page.keyboard.press('Tab');
    }
    throw new Error('the Tab key does not lead there');
  }

  /** Types into fields by keyboard only, in the order of the page. */
  async typeInto(values: Partial<Record<Parameters<PayPage['field']>[0], string>>): Promise<void> {
    for (const [name, value] of Object.entries(values)) {
      await this.tabTo(this.field(name as keyof typeof values));
      await this.page.keyboard.press('ControlOrMeta+a');
      await this.page.keyboard.type(value);
    }
  }
}
