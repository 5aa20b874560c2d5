import { request } from 'node:http';
import { customer } from '../../support/customers.ts';
import { type InvoiceRecord, invoice, invoiceOf, link } from '../../support/invoices.ts';
import { CARDS } from '../../support/sales.ts';
import type { ApiFixture } from '../../support/server.ts';

/** A page as a browser without a script gets it. */
export interface Shown {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Where it leads to, for a redirection. */
  readonly location: string | null;
}

type Headed = Record<string, string>;

async function ask({ baseUrl }: ApiFixture, path: string, init: RequestInit): Promise<Shown> {
  const answer = await fetch(`${baseUrl}${path}`, { redirect: 'manual', ...init });
  return { status: answer.status, headers: answer.headers, text: await answer.text(), location: answer.headers.get('location') };
}

export const look = (fixture: ApiFixture, path: string, headers: Headed = {}) => ask(fixture, path, { headers });

/** Sends a form as a browser does. */
export function press(fixture: ApiFixture, path: string, form: Record<string, string>, headers: Headed = {}): Promise<Shown> {
  const type = { 'content-type': 'application/x-www-form-urlencoded' };
  return ask(fixture, path, { method: 'POST', headers: { ...type, ...headers }, body: new URLSearchParams(form).toString() });
}

/** What a form holds before anybody types: its hidden fields, and the amount. */
export function hidden({ text }: Shown): Record<string, string> {
  const found = text.matchAll(/<input (?:type="hidden"|id="amount") name="(\w+)"(?: type="text")? value="([^"]*)"/g);
  return Object.fromEntries([...found].map(([, name = '', value = '']) => [name, value]));
}

export const CARD_FORM = { method: 'card', number: CARDS.visa, expiry: '12/39', cvv: '123', zip: '04101', name: 'Ann Marsh', email: '' };
export const BANK_FORM = {
  method: 'ach',
  routing: '021000021',
  account: '000123456789',
  accountType: 'checking',
  name: 'Ann Marsh',
  email: '',
};

/** The path of a page, whatever the host. */
export const pathOf = (url: string) => new URL(url).pathname;

/** An invoice of 100.00, unless said otherwise, that was not sent to anybody, and the path of its page. */
export async function asked(fixture: ApiFixture, more: Record<string, unknown> = {}): Promise<InvoiceRecord & { path: string }> {
  const { customerId } = await customer(fixture);
  const made = await invoice(fixture, customerId, more);
  return { ...made, path: pathOf(made.url) };
}

export async function linked(fixture: ApiFixture, more: Record<string, unknown> = {}): Promise<InvoiceRecord & { path: string }> {
  const made = await link(fixture, more);
  return { ...(await invoiceOf(fixture, made.invoiceId)), path: pathOf(made.url) };
}

/** Opens a page, fills its form in and presses the button; follows where the answer leads. */
export async function pays(fixture: ApiFixture, path: string, form: Record<string, string> = {}): Promise<{ answer: Shown; after: Shown }> {
  const filled = { ...hidden(await look(fixture, path)), ...CARD_FORM, ...form };
  const answer = await press(fixture, path, filled);
  const cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? '';
  return { answer, after: answer.location === null ? answer : await look(fixture, answer.location, { cookie }) };
}

/** What a server answers under another name than its own. */
export function underName({ baseUrl }: ApiFixture, host: string, path: string, headers: Headed = {}, form?: Record<string, string>) {
  const { hostname, port } = new URL(baseUrl);
  const body = form === undefined ? undefined : new URLSearchParams(form).toString();
  const type: Headed = body === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' };
  return new Promise<{ status: number; text: string; location: string | undefined }>((resolve, reject) => {
    const sent = request(
      { hostname, port, path, method: body === undefined ? 'GET' : 'POST', headers: { ...type, ...headers, host } },
      (answer) => {
        let text = '';
        answer.on('data', (chunk: Buffer) => {
          text += chunk.toString();
        });
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text, location: answer.headers.location }));
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}
