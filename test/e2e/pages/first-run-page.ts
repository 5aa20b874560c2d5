import { expect, type Locator, type Page } from '@playwright/test';

/** The steps from an empty disk to the sell screen. */
export class FirstRunPage {
  readonly page: Page;
  readonly businessName: Locator;
  readonly email: Locator;
  readonly password: Locator;
  readonly databaseUrl: Locator;

  constructor(page: Page) {
    this.page = page;
    this.businessName = page.getByLabel('Business name');
    this.email = page.getByLabel('Email');
    this.password = page.getByLabel('Password', { exact: true });
    this.databaseUrl = page.getByLabel('Database URL');
  }

  /** Opens the first step and waits until it accepts keys. */
  async open(baseUrl: string): Promise<void> {
    await this.page.goto(baseUrl);
    await expect(this.page.getByRole('radio', { name: /Sandbox/ })).toBeFocused();
  }

  /** Presses Enter once the button of the step has the focus. */
  async continueToNextStep(): Promise<void> {
    await expect(this.page.locator('button:focus')).toBeVisible();
    await this.page.keyboard.press('Enter');
  }

  async expectStep(title: string, options: { readonly timeout?: number } = {}): Promise<void> {
    await expect(this.page.getByRole('heading', { name: title, level: 1 })).toBeVisible(options);
  }
}
