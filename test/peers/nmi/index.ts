// NMI's Payment and Query interfaces as they are documented, strict: what the real one would refuse is refused here too.
import type { Books, PeerAnswer, PeerProtocol, Played, Question } from '../peer-server.ts';
import { transact } from './payments.ts';
import { query } from './query.ts';

const PAYMENT_PATH = '/api/transact.php';
const QUERY_PATH = '/api/query.php';
const FORM = 'application/x-www-form-urlencoded';

export const nmiPeer: PeerProtocol = {
  kind: 'nmi',
  credentials: { securityKey: '6457Thfj624V5r7WUwc5v6a68Zsd6YEm' },
  /**
   * `bom`: answers begin with a byte-order mark. `test-mode`: the account is in test mode. `no-credits`: unlinked credits are switched off.
   * `duplicate-check`: equal payments within twenty minutes are refused. `partial`: only half of an amount is approved. `no-bank`: bank payments are switched
   * off.
   */
  quirks: ['bom', 'test-mode', 'no-credits', 'duplicate-check', 'partial', 'no-bank'],

  operationOf({ path, body }) {
    const form = new URLSearchParams(body);
    return (path === QUERY_PATH ? (form.get('report_type') ?? 'query') : form.get('type')) ?? '';
  },

  answer(question, on, played) {
    const answer = answerTo(question, on, played);
    return on.quirks.has('bom') && answer.status === 200 ? { ...answer, body: `\ufeff${answer.body}` } : answer;
  },
};

function answerTo({ method, path, contentType, body }: Question, on: Books, played: Played | null): PeerAnswer {
  if (path !== PAYMENT_PATH && path !== QUERY_PATH) return { status: 404, contentType: 'text/html', body: 'Not Found' };
  if (method !== 'POST') return { status: 405, contentType: 'text/html', body: 'Method Not Allowed' };
  // A body of another type is no form to it: it finds no key in it.
  const pairs = contentType.split(';')[0] === FORM ? [...new URLSearchParams(body)] : [];
  return path === PAYMENT_PATH ? transact(pairs, on, played) : query(pairs, on, played);
}
