// query.php: a form as input, XML as output. Its times are in UTC.
import { type Entry, type EntryState, type Step, textOfCents } from '../ledger.ts';
import type { ProtocolFault, SimulatorContext, SimulatorResponse } from '../simulator-server.ts';

type Form = ReadonlyMap<string, string>;

const FIELDS: ReadonlySet<string> = new Set([
  ...[
    'security_key',
    'report_type',
    'order_id',
    'transaction_id',
    'condition',
    'action_type',
    'transaction_type',
    'cc_number',
    'customer_vault_id',
  ],
  ...['start_date', 'end_date', 'date_search', 'result_limit', 'page_number', 'result_order'],
]);
const CONDITIONS: Readonly<Record<EntryState, string>> = {
  authorized: 'pending',
  captured: 'pendingsettlement',
  settled: 'complete',
  voided: 'canceled',
  declined: 'failed',
  failed: 'failed',
  held: 'in_progress',
};

export function query(
  pairs: readonly (readonly [string, string])[],
  context: SimulatorContext,
  protocolFault: ProtocolFault | null,
): SimulatorResponse {
  const form: Form = new Map(pairs);
  if (form.get('security_key') !== context.credentials.securityKey) return refused('Authentication Failed');
  if (protocolFault?.kind === 'busy') return { status: 429, contentType: 'text/html', body: '' };
  if (protocolFault?.kind === 'echo') return refused(`Cannot read ${pairs.map(([name, value]) => `${name} ${value}`).join(', ')}`);
  const unknown = pairs.find(
    ([name, value], index) => !FIELDS.has(name) || value === '' || pairs.findIndex(([other]) => other === name) !== index,
  );
  if (unknown) return refused(`Invalid variable ${unknown[0]}`);
  if (form.get('report_type') === 'profile') return answered(profile(context));
  if (form.get('report_type') === 'customer_vault') return answered(vault(context, form.get('customer_vault_id') ?? ''));
  if (form.has('report_type')) return refused('Invalid report_type');
  if (form.has('page_number') && !form.has('result_limit')) return refused('page_number needs result_limit');
  for (const name of ['start_date', 'end_date']) if (!/^(\d{8}|\d{14})?$/.test(form.get(name) ?? '')) return refused(`Invalid ${name}`);
  const found = context.ledger.all().filter((entry) => context.ledger.isVisible(entry) && matches(entry, form));
  const limit = Number(form.get('result_limit') ?? found.length);
  const from = limit * Number(form.get('page_number') ?? 0);
  return answered(
    found
      .slice(from, from + limit)
      .map(transactionOf)
      .join(''),
  );
}

function matches(entry: Entry, form: Form): boolean {
  const isIn = (name: string, value: string) => form.get(name)?.split(',').includes(value) ?? true;
  const date = stamp((form.get('date_search') === 'updated' ? entry.steps.at(-1)?.at : entry.at) ?? entry.at);
  const until = form.get('end_date');
  return (
    isIn('order_id', entry.ourReference) &&
    isIn('transaction_id', entry.reference) &&
    isIn('condition', CONDITIONS[entry.state]) &&
    isIn('transaction_type', entry.method === 'ach' ? 'ck' : 'cc') &&
    (form.get('cc_number') === undefined || (entry.method === 'card' && form.get('cc_number')?.slice(-4) === entry.last4)) &&
    (form.get('action_type') === undefined || entry.steps.some(({ kind }) => isIn('action_type', kind))) &&
    date >= (form.get('start_date') ?? '').padEnd(14, '0') &&
    (until === undefined || date <= until.padEnd(14, '9'))
  );
}

function transactionOf(entry: Entry): string {
  const { details: shown } = entry;
  const isCard = entry.method === 'card';
  return element('transaction', [
    tag('transaction_id', entry.reference),
    tag('partial_payment_id', ''),
    tag('transaction_type', isCard ? 'cc' : 'ck'),
    tag('condition', CONDITIONS[entry.state]),
    tag('order_id', entry.ourReference),
    tag('authorization_code', shown.auth ?? ''),
    tag('cc_number', isCard ? `4xxxxxxxxxxx${entry.last4}` : ''),
    tag('avs_response', shown.avs ?? ''),
    tag('csc_response', shown.cvv ?? ''),
    tag('check_account', isCard ? '' : `xxxx${entry.last4}`),
    tag('currency', 'USD'),
    ...entry.steps.map((step) => actionOf(entry, step)),
  ]);
}

function actionOf(entry: Entry, { kind, amountMinor, at, batch, code: bankCode, text: bankText }: Step): string {
  const isFirst = kind === entry.operation;
  const { details: shown } = entry;
  const isOut = entry.operation === 'refund' || entry.operation === 'credit';
  const code = isFirst ? (shown.code ?? '100') : '100';
  const text = bankText ?? (kind === 'settle' ? 'ACCEPTED' : (shown.text ?? 'SUCCESS'));
  return element('action', [
    tag('amount', `${isOut ? '-' : ''}${textOfCents(amountMinor)}`),
    tag('action_type', kind),
    tag('date', stamp(at)),
    tag('success', code === '100' ? '1' : '0'),
    tag('source', kind === 'settle' ? 'internal' : 'api'),
    tag('response_text', text),
    tag('batch_id', batch ?? '0'),
    tag('processor_batch_id', ''),
    tag('response_code', code),
    ...(bankCode === undefined ? [] : [tag('processor_response_code', bankCode)]),
  ]);
}

function profile({ quirks }: SimulatorContext): string {
  const processor = (id: string, type: string) =>
    element('processor', [tag('id', id), tag('type', type), element('currencies', [tag('currency', 'USD')])]);
  return [
    tag('protected', 'false'),
    element('merchant', [tag('company', 'Corner Shop & Sons'), tag('email', 'owner@example.com'), tag('timezone', 'America/Chicago')]),
    element('processors', [processor('ccprocessora', 'cc'), ...(quirks.has('no-bank') ? [] : [processor('ckprocessora', 'ck')])]),
    element('account_details', [tag('account_status', 'active'), tag('test_mode_enabled', String(quirks.has('test-mode')))]),
  ].join('');
}

/** The entry of the vault with an ID; an empty list if there is none. */
function vault({ ledger }: SimulatorContext, id: string): string {
  const stored = ledger.all().find(({ details }) => details.vaultId === id);
  const fields = stored && [
    tag('cc_number', `4xxxxxxxxxxx${stored.last4}`),
    tag('cc_exp', '1230'),
    tag('cc_type', 'visa'),
    tag('customer_vault_id', id),
  ];
  return element('customer_vault', fields ? [element('customer', fields)] : []);
}

const stamp = (at: string): string => at.replace(/\D/g, '').slice(0, 14);
const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const tag = (name: string, text: string): string => `<${name}>${escaped(text)}</${name}>\n`;
const element = (name: string, parts: readonly string[]): string => `<${name}>\n${parts.join('')}</${name}>\n`;
const refused = (text: string): SimulatorResponse => answered(tag('error_response', text));

function answered(inside: string): SimulatorResponse {
  return {
    status: 200,
    contentType: 'text/xml; charset=UTF-8',
    body: `<?xml version="1.0" encoding="UTF-8"?>\n${element('nm_response', [inside])}`,
  };
}
