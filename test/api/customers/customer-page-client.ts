import { createCustomer } from '../../support/customers.ts';
import { createInvoice, type InvoiceRecord } from '../../support/invoices.ts';
import { type ApiFixture, expectData } from '../../support/server.ts';
import { CARD_FORM, openPage, type PageResponse, pathOf } from '../pages/pay-page-client.ts';

export interface PageLinkRecord {
  readonly linkId: string;
  readonly url: string;
  readonly status: string;
  readonly source: string;
  readonly isLocalOnly: boolean;
  readonly messageIds: string[];
}

let customers = 0;
/** Creates a customer with an address of its own. */
export const newCustomer = (service: ApiFixture, more: object = {}) => {
  customers += 1;
  return createCustomer(service, { email: `page-${customers}-${Date.now().toString(36)}@customer.example`, ...more });
};

export const linkTo = ({ api }: ApiFixture, customerId: string, body: object = {}) =>
  expectData(api.admin.post<PageLinkRecord>(`/customers/${customerId}/page-links`, body), 201);

/** Creates an invoice that was sent. */
export async function sentInvoice(service: ApiFixture, customerId: string, more: Record<string, unknown> = {}): Promise<InvoiceRecord> {
  const { invoiceId } = await createInvoice(service, customerId, more);
  // The address is that of nobody, so that the limit of messages to one address plays no part.
  const email = `${invoiceId}@billing.example`;
  return expectData(service.api.admin.post<InvoiceRecord>(`/invoices/${invoiceId}/send`, { email }));
}

/** Sends a form whose fields may occur several times. */
export async function submit(
  { baseUrl }: ApiFixture,
  path: string,
  form: readonly (readonly [string, string])[],
  headers: Record<string, string> = {},
): Promise<PageResponse> {
  const answer = await fetch(`${baseUrl}${path}`, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams(form.map(([name, value]) => [name, value])).toString(),
  });
  return { status: answer.status, headers: answer.headers, text: await answer.text(), location: answer.headers.get('location') };
}

/** Returns the hidden fields of the form with an action. */
export function fieldsOf({ text }: PageResponse, part: RegExp): [string, string][] {
  const [form = ''] = part.exec(text) ?? [];
  return [...form.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value]);
}

export const CARD_PART = /<form id="pay"[\s\S]*?<\/form>/;
export const STORED_PART = /<form class="card stack" method="post"[\s\S]*?<\/form>/;

export const cardForm = (more: Record<string, string> = {}) => Object.entries({ ...CARD_FORM, ...more });

/** Opens the page on which invoices are paid. */
export const openPayment = (service: ApiFixture, path: string, invoices: readonly { invoiceId: string }[], headers = {}) =>
  openPage(service, `${path}/pay?${invoices.map(({ invoiceId }) => `invoice=${invoiceId}`).join('&')}`, headers);

/** Requests a code on a page and returns its ID and its digits. */
export async function requestCode(service: ApiFixture, path: string, to: string): Promise<{ codeId: string; code: string }> {
  const { status, location, text } = await submit(service, `${path}/code`, []);
  if (status !== 303) throw new Error(`A code was refused: ${status} ${text.slice(0, 2_000)}`);
  const codeId = new URL(location ?? '', service.baseUrl).searchParams.get('id') ?? '';
  const messages = await expectData(service.api.admin.get<{ to: string; body: string }[]>('/sandbox/messages?limit=200'));
  const body = messages.find((message) => message.to === to && /code for|código para/.test(message.body))?.body ?? '';
  return { codeId, code: /\d{6}/.exec(body)?.[0] ?? '' };
}

/** Enters a code, and returns the header with the cookie of the browser and the key of its forms. */
export async function confirmed(service: ApiFixture, path: string, to: string): Promise<{ headers: { cookie: string }; key: string }> {
  const { codeId, code } = await requestCode(service, path, to);
  const answer = await submit(service, `${path}/confirm`, [
    ['codeId', codeId],
    ['code', code],
  ]);
  const cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? '';
  const { text } = await openPage(service, path, { cookie });
  return { headers: { cookie }, key: /name="key" value="([^"]+)"/.exec(text)?.[1] ?? '' };
}

/** Creates a customer with sent invoices and a link to the page. */
export async function pageWithInvoices(service: ApiFixture, amounts: readonly number[], more: object = {}) {
  const customer = await newCustomer(service, more);
  const invoices: InvoiceRecord[] = [];
  for (const amount of amounts) invoices.push(await sentInvoice(service, customer.customerId, { amount }));
  const link = await linkTo(service, customer.customerId);
  return { customer, invoices, link, path: pathOf(link.url), email: String(customer.email) };
}
