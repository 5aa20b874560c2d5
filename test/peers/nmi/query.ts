// query.php: form in, XML out. Its times are UTC.
import { type Entry, type EntryState, type Step, textOfCents } from '../ledger.ts';
import type { Books, PeerAnswer, Played } from '../peer-server.ts';

type Form = ReadonlyMap<string, string>;

const FIELDS: ReadonlySet<string> = new Set([
  ...['security_key', 'report_type', 'order_id', 'transaction_id', 'condition', 'action_type', 'transaction_type', 'cc_number'],
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

export function query(pairs: readonly (readonly [string, string])[], on: Books, played: Played | null): PeerAnswer {
  const form: Form = new Map(pairs);
  if (form.get('security_key') !== on.credentials.securityKey) return refused('Authentication Failed');
  if (played?.kind === 'busy') return { status: 429, contentType: 'text/html', body: '' };
  if (played?.kind === 'echo') return refused(`Cannot read ${pairs.map(([name, value]) => `${name} ${value}`).join(', ')}`);
  const unknown = pairs.find(
    ([name, value], index) => !FIELDS.has(name) || value === '' || pairs.findIndex(([other]) => other === name) !== index,
  );
  if (unknown) return refused(`Invalid variable ${unknown[0]}`);
  if (form.get('report_type') === 'profile') return answered(profile(on));
  if (form.has('report_type')) return refused('Invalid report_type');
  if (form.has('page_number') && !form.has('result_limit')) return refused('page_number needs result_limit');
  for (const name of ['start_date', 'end_date']) if (!/^(\d{8}|\d{14})?$/.test(form.get(name) ?? '')) return refused(`Invalid ${name}`);
  const found = on.ledger.all().filter((entry) => on.ledger.isVisible(entry) && fits(entry, form));
  const limit = Number(form.get('result_limit') ?? found.length);
  const from = limit * Number(form.get('page_number') ?? 0);
  return answered(
    found
      .slice(from, from + limit)
      .map(transactionOf)
      .join(''),
  );
}

function fits(entry: Entry, form: Form): boolean {
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
  const { shown } = entry;
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

function actionOf(entry: Entry, { kind, amountMinor, at, batch }: Step): string {
  const isFirst = kind === entry.operation;
  const { shown, returned } = entry;
  const isOut = entry.operation === 'refund' || entry.operation === 'credit';
  const code = isFirst ? (shown.code ?? '100') : '100';
  const text = kind === 'return' ? `${returned?.code} ${returned?.reason}` : kind === 'settle' ? 'ACCEPTED' : (shown.text ?? 'SUCCESS');
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
  ]);
}

function profile({ quirks }: Books): string {
  const processor = (id: string, type: string) =>
    element('processor', [tag('id', id), tag('type', type), element('currencies', [tag('currency', 'USD')])]);
  return [
    tag('protected', 'false'),
    element('merchant', [tag('company', 'Corner Shop & Sons'), tag('email', 'owner@example.com'), tag('timezone', 'America/Chicago')]),
    element('processors', [processor('ccprocessora', 'cc'), ...(quirks.has('no-bank') ? [] : [processor('ckprocessora', 'ck')])]),
    element('account_details', [tag('account_status', 'active'), tag('test_mode_enabled', String(quirks.has('test-mode')))]),
  ].join('');
}

const stamp = (at: string): string => at.replace(/\D/g, '').slice(0, 14);
const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const tag = (name: string, text: string): string => `<${name}>${escaped(text)}</${name}>\n`;
const element = (name: string, parts: readonly string[]): string => `<${name}>\n${parts.join('')}</${name}>\n`;
const refused = (text: string): PeerAnswer => answered(tag('error_response', text));

function answered(inside: string): PeerAnswer {
  return {
    status: 200,
    contentType: 'text/xml; charset=UTF-8',
    body: `<?xml version="1.0" encoding="UTF-8"?>\n${element('nm_response', [inside])}`,
  };
}
