import { expect, type Locator, type Page } from '@playwright/test';
import type { ApiSession } from '../api-session.ts';

export interface Line {
  readonly description: string;
  readonly quantity: string;
  readonly price: string;
}

/** The lists of invoices and payment links, the details beside them, and the invoice form. */
export class InvoicesPage {
  readonly page: Page;
  readonly heading: Locator;
  readonly rows: Locator;
  readonly drawer: Locator;
  readonly customer: Locator;
  readonly total: Locator;
  readonly preview: Locator;
  readonly amount: Locator;
  readonly payments: Locator;
  /** The only live region. */
  readonly announcement: Locator;

  constructor(page: Page) {
    this.page = page;
    this.heading = page.getByRole('heading', { name: 'Invoices & links', level: 1 });
    this.rows = page.getByRole('grid').locator('[role=row][data-id]');
    this.drawer = page.getByRole('dialog', { name: 'Invoice' });
    this.customer = page.getByLabel('Customer', { exact: true });
    this.total = page.locator('[data-total]');
    this.preview = page.getByRole('region', { name: 'Preview' });
    this.amount = this.drawer.getByLabel('Amount, USD', { exact: true });
    this.payments = this.drawer.getByRole('region', { name: 'Payments' }).getByRole('listitem');
    this.announcement = page.locator('[role=status][aria-live=polite]').first();
  }

  async open(query = ''): Promise<void> {
    await this.page.goto(`/#/invoices${query}`);
    await expect(this.heading).toBeVisible();
  }

  async openOne(invoiceId: string): Promise<void> {
    await this.page.goto(`/#/invoices/${invoiceId}`);
    await expect(this.drawer.getByRole('heading', { level: 2 })).toBeFocused();
  }

  action(name: string): Locator {
    return this.drawer.getByRole('button', { name, exact: true });
  }

  /** A cell of the items, counted from 1. */
  cell(line: number, name: 'description' | 'quantity' | 'price'): Locator {
    return this.page.getByLabel(`Line ${line}, ${name}`);
  }

  /** Selects a customer by typed text; the second Enter moves to the items. */
  async chooseCustomer(name: string): Promise<void> {
    await expect(this.customer).toBeFocused();
    await this.page.keyboard.type(name);
    await this.page.keyboard.press('Enter');
    // Until a customer is selected, the field contains the typed text.
    await expect(this.page.getByText('Searching…')).toBeHidden();
    await expect(this.customer).toHaveValue(name);
    await this.page.keyboard.press('Enter');
    await expect(this.cell(1, 'description')).toBeFocused();
  }

  /** Enters items from the first cell on; Enter moves from cell to cell, and no empty row remains. */
  async writeLines(lines: readonly Line[]): Promise<void> {
    for (const [at, line] of lines.entries()) {
      await expect(this.cell(at + 1, 'description')).toBeFocused();
      for (const text of [line.description, line.quantity, line.price]) {
        await this.page.keyboard.type(text);
        if (text !== line.price || at < lines.length - 1) await this.page.keyboard.press('Enter');
      }
    }
  }
}

/** A customer who is asked to pay. */
export interface Payer {
  readonly customerId: string;
  readonly name: string;
  readonly email: string;
}

/** An invoice or payment link that was just created. */
export interface Made {
  readonly invoiceId: string;
  readonly number: string;
  readonly shortUrl: string;
}

/** The stored record of an invoice or link. */
export interface Recorded extends Made {
  readonly status: string;
  readonly amount: number;
  readonly amountPaid: number;
  readonly amountDue: number;
  readonly customer: { readonly email: string | null } | null;
  readonly payments: readonly { readonly method: string; readonly status: string; readonly reference: string | null }[];
}

let customers = 0;

/** Creates a customer that no other test finds. */
export async function newCustomer(api: ApiSession, more: object = {}): Promise<Payer> {
  customers += 1;
  const lastName = `Billed${process.pid}x${customers}`;
  const email = `${lastName.toLowerCase()}@customer.example`;
  const { customerId } = await api.post<Payer>('/customers', { firstName: 'Ida', lastName, email, ...more });
  return { customerId, name: `Ida ${lastName}`, email };
}

/** Creates an invoice of 30.00 for its own customer. */
export async function newInvoice(api: ApiSession, more: object = {}, isSent = true): Promise<Made & Payer> {
  const payer = await newCustomer(api);
  const items = [{ description: 'Breakfast', quantity: 2, unitPrice: '15.00' }];
  const invoice = await api.post<Made>('/invoices', { customerId: payer.customerId, items, ...more });
  if (isSent) await api.post(`/invoices/${invoice.invoiceId}/send`, {});
  return { ...payer, ...invoice };
}

export async function record(api: ApiSession, { invoiceId }: Pick<Made, 'invoiceId'>): Promise<Recorded> {
  return (await api.read<Recorded>(`/invoices/${invoiceId}`)).data;
}
