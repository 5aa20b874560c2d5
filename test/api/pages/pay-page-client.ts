import { request } from 'node:http';
import { createCustomer } from '../../support/customers.ts';
import { createInvoice, createPaymentLink, getInvoice, type InvoiceRecord } from '../../support/invoices.ts';
import { CARDS } from '../../support/sales.ts';
import type { ApiFixture } from '../../support/server.ts';

/** A page as a browser without scripts receives it. */
export interface PageResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The target of a redirection. */
  readonly location: string | null;
}

type HeaderFields = Record<string, string>;

async function fetchPage({ baseUrl }: ApiFixture, path: string, init: RequestInit): Promise<PageResponse> {
  const answer = await fetch(`${baseUrl}${path}`, { redirect: 'manual', ...init });
  return { status: answer.status, headers: answer.headers, text: await answer.text(), location: answer.headers.get('location') };
}

export const openPage = (fixture: ApiFixture, path: string, headers: HeaderFields = {}) => fetchPage(fixture, path, { headers });

/** Sends a form as a browser does. */
export function submitForm(
  fixture: ApiFixture,
  path: string,
  form: Record<string, string>,
  headers: HeaderFields = {},
): Promise<PageResponse> {
  const type = { 'content-type': 'application/x-www-form-urlencoded' };
  return fetchPage(fixture, path, { method: 'POST', headers: { ...type, ...headers }, body: new URLSearchParams(form).toString() });
}

/** Returns the values of a form before anybody types: its hidden fields and the amount. */
export function prefilledFields({ text }: PageResponse): Record<string, string> {
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

/** Returns the path of a page URL without the host. */
export const pathOf = (url: string) => new URL(url).pathname;

/** Creates an invoice, by default of 100.00, that was not sent, and returns it with the path of its page. */
export async function createInvoicePage(
  fixture: ApiFixture,
  more: Record<string, unknown> = {},
): Promise<InvoiceRecord & { path: string }> {
  const { customerId } = await createCustomer(fixture);
  const made = await createInvoice(fixture, customerId, more);
  return { ...made, path: pathOf(made.url) };
}

export async function createLinkPage(fixture: ApiFixture, more: Record<string, unknown> = {}): Promise<InvoiceRecord & { path: string }> {
  const made = await createPaymentLink(fixture, more);
  return { ...(await getInvoice(fixture, made.invoiceId)), path: pathOf(made.url) };
}

/** Opens a page, fills in its form and submits it; follows a redirection. */
export async function pay(
  fixture: ApiFixture,
  path: string,
  form: Record<string, string> = {},
): Promise<{ answer: PageResponse; after: PageResponse }> {
  const filled = { ...prefilledFields(await openPage(fixture, path)), ...CARD_FORM, ...form };
  const answer = await submitForm(fixture, path, filled);
  const cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? '';
  return { answer, after: answer.location === null ? answer : await openPage(fixture, answer.location, { cookie }) };
}

/** Requests a path under another host name. */
export function requestUnderHost(
  { baseUrl }: ApiFixture,
  host: string,
  path: string,
  headers: HeaderFields = {},
  form?: Record<string, string>,
) {
  const { hostname, port } = new URL(baseUrl);
  const body = form === undefined ? undefined : new URLSearchParams(form).toString();
  const type: HeaderFields = body === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' };
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
