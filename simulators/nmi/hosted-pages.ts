// Electronic Invoicing: requests that create and close an invoice, and the page to which the email of the invoice links.
import { randomBytes } from 'node:crypto';
import { cardForm, messagePage } from '../hosted-pages.ts';
import { centsOf, textOfCents } from '../ledger.ts';
import type { ProtocolFault, ReceivedRequest, SimulatedPage, SimulatorContext, SimulatorResponse } from '../simulator-server.ts';
import { transact } from './payments.ts';

export const PAGE_PATH = '/pay-invoice/';
const TITLE = 'Invoice (simulator)';
const FIRST_ID = 7_001;
const CODE_BYTES = 12;
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  add_invoice: [
    ...['amount', 'currency', 'email', 'payment_terms', 'payment_methods_allowed', 'processor_id', 'orderid', 'order_description', 'tax'],
    ...['first_name', 'last_name'],
  ],
  close_invoice: ['invoice_id'],
};

interface Invoice {
  readonly id: string;
  readonly code: string;
  readonly orderId: string;
  readonly amountMinor: number;
  readonly email: string;
  readonly description: string;
  state: 'open' | 'paid' | 'closed';
}

/** Invoices of each ledger. */
const invoices = new WeakMap<SimulatorContext['ledger'], Invoice[]>();

function invoicesOf({ ledger }: SimulatorContext): Invoice[] {
  const known = invoices.get(ledger) ?? [];
  invoices.set(ledger, known);
  return known;
}

/** Returns the invoices with the address of their page, which stands only in the email. */
export const hostedPages = (context: SimulatorContext): SimulatedPage[] =>
  invoicesOf(context).map(({ code, orderId, email }) => ({ ourReference: orderId, url: `${PAGE_PATH}${code}`, email }));

export function invoicing(
  pairs: readonly (readonly [string, string])[],
  context: SimulatorContext,
  protocolFault: ProtocolFault | null,
): SimulatorResponse {
  const form = new Map(pairs);
  const operation = form.get('invoicing') ?? '';
  const refused = (text: string, code = '300') => line({ response: '3', responsetext: text, response_code: code });
  if (form.get('security_key') !== context.credentials.securityKey) return refused('Authentication Failed');
  if (protocolFault?.kind === 'busy') return refused('Rate limit exceeded, please slow down', '301');
  if (protocolFault?.kind === 'echo') return refused(`Cannot read ${pairs.map(([name, value]) => `${name} ${value}`).join(', ')}`);
  const unknown = [...form.keys()].find((name) => !['security_key', 'invoicing', ...(FIELDS[operation] ?? [])].includes(name));
  if (FIELDS[operation] === undefined || unknown !== undefined || form.size !== pairs.length) return refused(`Invalid variable ${unknown}`);
  if (operation === 'close_invoice') {
    const invoice = invoicesOf(context).find(({ id }) => id === form.get('invoice_id'));
    if (invoice === undefined || invoice.state === 'paid') return refused('Invoice cannot be closed');
    invoice.state = 'closed';
    return line({ response: '1', responsetext: 'Invoice Closed', response_code: '100', invoice_id: invoice.id });
  }
  const amountMinor = centsOf(form.get('amount'));
  if (!amountMinor) return refused('Invalid amount');
  if (form.get('currency') !== 'USD') return refused('Invalid currency');
  if (!/^[^@\s]+@[^@\s]+$/.test(form.get('email') ?? '')) return refused('Invalid email');
  if (!form.has('last_name')) return refused('The last_name field is required');
  const known = invoicesOf(context);
  const invoice: Invoice = {
    id: String(FIRST_ID + known.length),
    code: randomBytes(CODE_BYTES).toString('hex'),
    orderId: form.get('orderid') ?? '',
    amountMinor,
    email: form.get('email') ?? '',
    description: form.get('order_description') ?? '',
    state: 'open',
  };
  known.push(invoice);
  return line({ response: '1', responsetext: 'Invoice Added', response_code: '100', invoice_id: invoice.id });
}

/** Shows the page of an invoice, or pays it. */
export function answerPayer({ method, path, body }: ReceivedRequest, context: SimulatorContext): SimulatorResponse {
  const invoice = invoicesOf(context).find(({ code }) => path === `${PAGE_PATH}${code}`);
  if (invoice === undefined) return messagePage(TITLE, 'There is no such invoice.', 404);
  if (invoice.state === 'paid') return messagePage(TITLE, 'This invoice is paid.');
  if (invoice.state === 'closed') return messagePage(TITLE, 'This invoice was closed.');
  const amount = textOfCents(invoice.amountMinor);
  const shown = { title: TITLE, amount: `${amount} USD`, description: invoice.description, action: path };
  if (method === 'GET') return cardForm(shown);
  const form = new URLSearchParams(body);
  const field = (name: string) => (form.get(name) ?? '').trim();
  const sale = [
    ...[
      ['security_key', context.credentials.securityKey ?? ''],
      ['type', 'sale'],
      ['amount', amount],
      ['currency', 'USD'],
      ['orderid', invoice.orderId],
      ['industry', 'ecommerce'],
    ],
    ...[
      ['ccnumber', field('number').replaceAll(' ', '')],
      ['ccexp', `${field('month').padStart(2, '0')}${field('year').slice(-2)}`],
      ['cvv', field('code')],
    ],
  ] as [string, string][];
  const answer = new URLSearchParams(transact(sale, context, null).body);
  if (answer.get('response') !== '1') return cardForm({ ...shown, notice: answer.get('responsetext') ?? '' });
  invoice.state = 'paid';
  return messagePage(TITLE, 'Thank you. This invoice is paid.');
}

function line(shown: Readonly<Record<string, string>>): SimulatorResponse {
  return { status: 200, contentType: 'text/html; charset=UTF-8', body: new URLSearchParams(shown).toString() };
}
