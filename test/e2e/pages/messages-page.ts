import { expect, type Locator, type Page } from '@playwright/test';
import type { MailBox } from '../mailbox.ts';

/** The outbox, and the settings of its channels. */
export class MessagesPage {
  readonly page: Page;
  readonly heading: Locator;
  readonly search: Locator;
  readonly rows: Locator;
  readonly drawer: Locator;
  /** The only live region. */
  readonly announcement: Locator;

  constructor(page: Page) {
    this.page = page;
    this.heading = page.getByRole('heading', { name: 'Messages', level: 1 });
    this.search = page.getByRole('searchbox', { name: 'Search by recipient' });
    this.rows = page.getByRole('grid', { name: 'Messages' }).locator('[role=row][data-id]');
    this.drawer = page.getByRole('dialog', { name: 'Message' });
    this.announcement = page.locator('[role=status][aria-live=polite]').first();
  }

  async open(query = ''): Promise<void> {
    await this.page.goto(`/#/messages${query}`);
    await expect(this.heading).toBeVisible();
  }

  /** Opens the newest message for an address. */
  async read(to: string): Promise<void> {
    await this.open(`?q=${encodeURIComponent(to)}`);
    // The rows of the former filter stay until the new ones are there.
    await this.rows.filter({ hasText: to }).first().click();
    await expect(this.drawer.getByRole('heading', { level: 2 })).toBeFocused();
  }

  state(name: string): Locator {
    return this.drawer.locator(`[data-head] [data-state=${name}]`);
  }

  /** Fills in the form of the mail server by keyboard, in the order of its fields, and saves it. */
  async setUpMail(box: Pick<MailBox, 'port' | 'user' | 'password'>): Promise<void> {
    const field = (name: string) => this.page.getByRole('textbox', { name, exact: true });
    const { keyboard } = this.page;
    await field('Host').focus();
    await keyboard.type('127.0.0.1');
    await field('Port').fill(String(box.port));
    await keyboard.press('Tab');
    await keyboard.type('None');
    await keyboard.press('Tab');
    await keyboard.type(box.user);
    await keyboard.press('Tab');
    await keyboard.type(box.password);
    await field('Sender address').fill('desk@harbor.example');
    await keyboard.press('Control+s');
    // The notice to the owners is the first email, so wrong settings are reported immediately.
    await expect(this.page.getByText(/^(Set up|Can’t send)$/)).toBeVisible();
  }

  /** Sends a test message from the settings, by default to the address in the field. */
  async sendTest(to: string): Promise<void> {
    await this.page.getByLabel('Send test email to').fill(to);
    await this.page.keyboard.press('Enter');
  }
}
