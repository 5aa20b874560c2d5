// NMI's Payment and Query APIs as documented, strict: they refuse what the real processor refuses.
import type { ProtocolFault, ReceivedRequest, SimulatorContext, SimulatorProtocol, SimulatorResponse } from '../simulator-server.ts';
import { answerPayer, hostedPages, invoicing, PAGE_PATH } from './hosted-pages.ts';
import { transact } from './payments.ts';
import { query } from './query.ts';
import { devices, presentToDevice, readerPayment } from './readers.ts';

const PAYMENT_PATH = '/api/transact.php';
const QUERY_PATH = '/api/query.php';
const FORM = 'application/x-www-form-urlencoded';

export const nmiSimulator: SimulatorProtocol = {
  kind: 'nmi',
  credentials: { securityKey: '6457Thfj624V5r7WUwc5v6a68Zsd6YEm' },
  /**
   * `bom`: responses begin with a byte-order mark. `test-mode`: the account is in test mode. `no-credits`: unlinked credits are turned off.
   * `duplicate-check`: equal payments within twenty minutes are refused. `partial`: only half of an amount is approved. `no-bank`: bank
   * payments are turned off. `no-readers`: the service for card readers is not enabled. `odd-state`: the state of a reader is a word that is not documented.
   * `other-names`: fields of a result are spelled in the other way. `no-vault`: verifications store no card.
   */
  quirks: [
    'bom',
    'test-mode',
    'no-credits',
    'duplicate-check',
    'partial',
    'no-bank',
    'no-readers',
    'odd-state',
    'other-names',
    'no-transaction',
    'other-order',
    'updating',
    'taken',
    'no-vault',
  ],

  operationOf({ path, body }) {
    if (path.startsWith('/api/asyncstatus/')) return 'reader-status';
    if (path.startsWith('/api/v2/devices/')) return path.split('/')[4] ?? '';
    if (path.startsWith(PAGE_PATH)) return 'payer';
    const form = new URLSearchParams(body);
    if (form.has('invoicing')) return form.get('invoicing') ?? '';
    if (form.has('poi_request')) return 'reader-cancel';
    if (form.has('poi_device_id')) return 'reader-start';
    return (path === QUERY_PATH ? (form.get('report_type') ?? 'query') : form.get('type')) ?? '';
  },

  present: presentToDevice,
  hostedPages,

  answer(received, context, protocolFault) {
    const answer = answerTo(received, context, protocolFault);
    return context.quirks.has('bom') && answer.status === 200 ? { ...answer, body: `\ufeff${answer.body}` } : answer;
  },
};

function answerTo(
  { method, path, contentType, authorization, body }: ReceivedRequest,
  context: SimulatorContext,
  protocolFault: ProtocolFault | null,
): SimulatorResponse {
  if (path.startsWith('/api/v2/devices/') || path.startsWith('/api/asyncstatus/'))
    return devices({ method, path, contentType, authorization, body }, context);
  if (path.startsWith(PAGE_PATH)) return answerPayer({ method, path, contentType, authorization, body }, context);
  if (path !== PAYMENT_PATH && path !== QUERY_PATH) return { status: 404, contentType: 'text/html', body: 'Not Found' };
  if (method !== 'POST') return { status: 405, contentType: 'text/html', body: 'Method Not Allowed' };
  // A body of another type is not a form: it contains no key.
  const pairs = contentType.split(';')[0] === FORM ? [...new URLSearchParams(body)] : [];
  if (path === PAYMENT_PATH && pairs.some(([name]) => name === 'invoicing')) return invoicing(pairs, context, protocolFault);
  const isAtReader = path === PAYMENT_PATH && pairs.some(([name]) => name.startsWith('poi_'));
  if (isAtReader) return readerPayment(pairs, context, protocolFault);
  return path === PAYMENT_PATH ? transact(pairs, context, protocolFault) : query(pairs, context, protocolFault);
}
