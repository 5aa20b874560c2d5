import { expect, type Locator, type Page } from '@playwright/test';
import { type Service, sessionOf } from '../session.ts';

export interface Sale {
  readonly amount: string;
  readonly card?: string;
  readonly expiry?: string;
  readonly code?: string;
  readonly zip?: string;
}

interface Recorded {
  readonly transactionId: string;
  readonly status: string;
  readonly amount: number;
}

/** The virtual terminal from the clerk's view, and the service's records of its payments. */
export class SellPage {
  readonly page: Page;
  readonly amount: Locator;
  readonly number: Locator;
  readonly expiry: Locator;
  readonly code: Locator;
  readonly zip: Locator;
  readonly name: Locator;
  readonly customer: Locator;
  readonly description: Locator;
  readonly charge: Locator;
  readonly more: Locator;
  readonly approved: Locator;
  /** The reason why a sale was not sent. */
  readonly notice: Locator;
  readonly declined: Locator;
  /** The only live region. */
  readonly announcement: Locator;
  readonly #service: Service | undefined;

  /** Only `recorded` needs the service. */
  constructor(page: Page, service?: Service) {
    const field = (name: string) => page.getByRole('textbox', { name, exact: true });
    this.page = page;
    this.#service = service;
    this.amount = field('Amount');
    this.number = field('Card number');
    this.expiry = field('Expiry');
    this.code = page.getByRole('textbox', { name: /^CVV/ });
    this.zip = field('ZIP');
    this.name = field('Customer name');
    this.customer = page.getByRole('combobox', { name: 'Customer on file' });
    this.description = field('Description');
    this.charge = page.getByRole('button', { name: /^(Charge|Authorize)/ });
    this.more = page.getByRole('button', { name: /^More/ });
    this.approved = page.getByRole('heading', { name: 'Approved' });
    this.notice = page.locator('[data-notice]');
    this.declined = this.notice.filter({ hasText: 'Declined' });
    this.announcement = page.locator('[role=status][aria-live=polite]').first();
  }

  /** Opens the screen and waits until the amount has the focus. */
  async open(query = ''): Promise<void> {
    await this.page.goto(`/#/sell${query}`);
    await expect(this.amount).toBeFocused();
  }

  /** Types a sale like a clerk, up to the last field: amount, Enter, and then digits only. */
  async key({ amount, card = '4111111111111111', expiry = '1228', code = '123', zip = '04101' }: Sale): Promise<void> {
    const { keyboard } = this.page;
    await keyboard.type(amount);
    await keyboard.press('Enter');
    await keyboard.type(card + expiry + code + zip);
  }

  async sell(sale: Sale): Promise<void> {
    await this.key(sale);
    await this.page.keyboard.press('Enter');
  }

  async newSale(): Promise<void> {
    await this.page.keyboard.press('F2');
    await expect(this.amount).toBeFocused();
    await expect(this.amount).toHaveValue('');
  }

  /** Returns the transactions of one amount that the service has on record. */
  async recorded(amount: string): Promise<Recorded[]> {
    if (this.#service === undefined) throw new Error('`recorded` needs a SellPage that was made with the service.');
    const { token, user } = await sessionOf(this.#service);
    const response = await this.page.request.get(`/api/v1/transactions?minAmount=${amount}&maxAmount=${amount}`, {
      headers: { authorization: `Bearer ${token}`, 'x-tenant-id': user.tenantId },
    });
    expect(response.status()).toBe(200);
    return ((await response.json()) as { data: Recorded[] }).data;
  }
}
