import { expect, type Locator, type Page } from '@playwright/test';
import type { Till } from '../till.ts';

export interface Line {
  readonly description: string;
  readonly quantity: string;
  readonly price: string;
}

/** The lists of invoices and links, the drawer beside them, and the paper on which an invoice is written. */
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
  /** The one live region. */
  readonly said: Locator;

  constructor(page: Page) {
    this.page = page;
    this.heading = page.getByRole('heading', { name: 'Invoices & links', level: 1 });
    this.rows = page.getByRole('grid').locator('[role=row][data-id]');
    this.drawer = page.getByRole('dialog', { name: 'Invoice' });
    this.customer = page.getByLabel('Customer', { exact: true });
    this.total = page.locator('[data-total]');
    this.preview = page.getByRole('region', { name: 'Preview' });
    this.amount = this.drawer.getByLabel('Amount, USD');
    this.payments = this.drawer.getByRole('region', { name: 'Payments' }).getByRole('listitem');
    this.said = page.locator('[role=status][aria-live=polite]').first();
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

  /** A cell of the lines, counted from 1. */
  cell(line: number, name: 'description' | 'quantity' | 'price'): Locator {
    return this.page.getByLabel(`Line ${line}, ${name}`);
  }

  /** Picks a customer by what is typed; the second Enter leads to the lines. */
  async chooseCustomer(name: string): Promise<void> {
    await expect(this.customer).toBeFocused();
    await this.page.keyboard.type(name);
    await this.page.keyboard.press('Enter');
    // Until somebody is chosen, it is what was typed that stands there.
    await expect(this.page.getByText('Looking…')).toBeHidden();
    await expect(this.customer).toHaveValue(name);
    await this.page.keyboard.press('Enter');
    await expect(this.cell(1, 'description')).toBeFocused();
  }

  /** Writes lines from the first cell on; Enter leads from cell to cell, and no row is left over. */
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

/** Who is asked to pay. */
export interface Payer {
  readonly customerId: string;
  readonly name: string;
  readonly email: string;
}

/** An invoice or link that was just made. */
export interface Made {
  readonly invoiceId: string;
  readonly number: string;
  readonly shortUrl: string;
}

/** What the service has on record of one. */
export interface Recorded extends Made {
  readonly status: string;
  readonly amount: number;
  readonly amountPaid: number;
  readonly amountDue: number;
  readonly customer: { readonly email: string | null } | null;
  readonly payments: readonly { readonly method: string; readonly status: string; readonly reference: string | null }[];
}

let customers = 0;

/** A customer whom no other test finds. */
export async function newCustomer(till: Till, more: object = {}): Promise<Payer> {
  customers += 1;
  const lastName = `Billed${process.pid}x${customers}`;
  const email = `${lastName.toLowerCase()}@customer.example`;
  const { customerId } = await till.post<Payer>('/customers', { firstName: 'Ida', lastName, email, ...more });
  return { customerId, name: `Ida ${lastName}`, email };
}

/** An invoice over 30.00 for a customer of its own. */
export async function newInvoice(till: Till, more: object = {}, isSent = true): Promise<Made & Payer> {
  const payer = await newCustomer(till);
  const items = [{ description: 'Breakfast', quantity: 2, unitPrice: '15.00' }];
  const invoice = await till.post<Made>('/invoices', { customerId: payer.customerId, items, ...more });
  if (isSent) await till.post(`/invoices/${invoice.invoiceId}/send`, {});
  return { ...payer, ...invoice };
}

export async function record(till: Till, { invoiceId }: Pick<Made, 'invoiceId'>): Promise<Recorded> {
  return (await till.read<Recorded>(`/invoices/${invoiceId}`)).data;
}
