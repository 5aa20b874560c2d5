import type { GatewayAnswer } from '#core/payments';
import { fact, item, lengthText, type StatusFact, type StatusItem, type StatusState, worst } from './item.ts';
import type { Asked, Needs } from './needs.ts';

/** So many questions in a row without an answer are an outage and no chance. */
const IN_VAIN = 3;
/** What happened longer ago says nothing of now. */
const FRESH_MS = 60 * 60_000;
const GATEWAYS_MAX = 20;
/** Beneath this many each has a line. */
const LINES_MAX = 12;

interface Found {
  readonly name: string;
  readonly state: StatusState;
  readonly words: string;
}

/** The gateways that the caller's merchants pay by: how the sandbox is set, else what each answered last. */
export async function gatewaysItem(on: Needs, { by, environment, nowMs }: Asked): Promise<StatusItem> {
  const merchants = await on.merchants.merchantsOf(by);
  const answers = await on.payments.lastAnswers(by.tenantId);
  const found: Found[] = [];
  for (const { merchantId, name } of merchants) {
    const page = await on.merchants.gateways.page(by, merchantId, { page: 1, limit: GATEWAYS_MAX });
    for (const gateway of page.items.filter(({ status }) => status === 'active')) {
      const own = answers.filter(({ gatewayId }) => gatewayId === gateway.id);
      const mode = environment === 'sandbox' ? await on.sandboxGateway.modeOf(by.tenantId, gateway.id) : 'normal';
      const label = merchants.length === 1 ? gateway.name : `${name}, ${gateway.name}`;
      found.push({ name: label, ...(mode === 'normal' ? byAnswers(own, nowMs) : played(mode)) });
    }
  }
  return shown(found, environment);
}

function shown(found: readonly Found[], environment: 'sandbox' | 'live'): StatusItem {
  const facts = factsOf(found);
  const state = worst(found.map((each) => each.state));
  const [first] = found.filter((each) => each.state === state);
  if (!first) {
    const message = 'No processor is set up, so no payment can be taken.';
    return item('gateways', { state: environment === 'live' ? 'problem' : 'warning', message, action: 'open-gateways' });
  }
  if (state === 'ok') {
    const message = found.length === 1 ? `${first.name} takes payments.` : `All ${found.length} gateways take payments.`;
    return item('gateways', { message }, facts);
  }
  return item('gateways', { state, message: `${first.name} ${first.words}.`, action: 'open-gateways' }, facts);
}

function factsOf(found: readonly Found[]): StatusFact[] {
  const lines = found.slice(0, LINES_MAX).map(({ name, words }) => fact(name, words));
  return found.length <= LINES_MAX ? lines : [...lines, fact('More', String(found.length - LINES_MAX))];
}

function played(mode: 'down' | 'slow'): Omit<Found, 'name'> {
  return mode === 'down'
    ? { state: 'problem', words: 'does not answer: the sandbox plays an outage' }
    : { state: 'warning', words: 'answers slowly: the sandbox plays a slow processor' };
}

/** A decline is an answer as well. */
const isInVain = ({ result }: GatewayAnswer) => result === 'failed' || result === 'in_doubt';

function byAnswers(answers: readonly GatewayAnswer[], nowMs: number): Omit<Found, 'name'> {
  const [last] = answers;
  if (!last) return { state: 'ok', words: 'has not been asked lately' };
  const ago = lengthText(Math.max(0, nowMs - Date.parse(last.at)));
  const answered = answers.findIndex((answer) => !isInVain(answer));
  const inVain = answered === -1 ? answers.length : answered;
  if (inVain === 0) return { state: 'ok', words: `answered ${ago} ago` };
  if (nowMs - Date.parse(last.at) > FRESH_MS) return { state: 'ok', words: `has not been asked since it failed ${ago} ago` };
  if (inVain < IN_VAIN) return { state: 'warning', words: `did not answer the last payment, ${ago} ago` };
  return { state: 'problem', words: `has not answered the last ${inVain} payments, the newest ${ago} ago` };
}
