import type { GatewayHealth } from '#core/gateways';
import type { Actor } from '#core/kernel';
import type { Gateway } from '#core/merchants';
import type { GatewayAnswer } from '#core/payments';
import type { Asked, Dependencies } from './dependencies.ts';
import { fact, item, lengthText, type StatusFact, type StatusItem, type StatusState, worst } from './item.ts';

/** Consecutive unanswered requests that count as an outage. */
const IN_VAIN = 3;
/** Age after which an event says nothing about the present. */
const FRESH_MS = 60 * 60_000;
const GATEWAYS_MAX = 20;
/** Up to this number, each one gets its own line. */
const LINES_MAX = 12;

interface Found {
  readonly name: string;
  readonly state: StatusState;
  readonly words: string;
  /** More than fits into a sentence. */
  readonly reason?: string | null;
}

/** This server's circuit state of each gateway of the caller's merchants. */
export interface GatewayStanding {
  readonly gatewayId: string;
  readonly merchantId: string;
  readonly name: string;
  readonly type: string;
  readonly status: Gateway['status'];
  /** The only one that it takes; null of the sandbox, which takes all. */
  readonly currency: string | null;
  readonly health: GatewayHealth;
}

export async function gatewayStandings(deps: Pick<Dependencies, 'merchants'>, actor: Actor): Promise<GatewayStanding[]> {
  const found: GatewayStanding[] = [];
  for (const { merchantId } of await deps.merchants.merchantsOf(actor))
    for (const { id, name, type, status, settings, health } of await gatewaysOf(deps, actor, merchantId))
      found.push({ gatewayId: id, merchantId, name, type, status, currency: settings?.currency ?? null, health });
  return found;
}

/**
 * Returns the status of the gateways of the caller's merchants: the mode of the sandbox or its last answers, and the circuit state of live
 * gateways.
 */
export async function gatewaysItem(deps: Dependencies, { by, environment, nowMs }: Asked): Promise<StatusItem> {
  const merchants = await deps.merchants.merchantsOf(by);
  const answers = environment === 'sandbox' ? await deps.payments.lastAnswers(by.tenantId) : [];
  const found: Found[] = [];
  for (const { merchantId, name } of merchants) {
    const active = (await gatewaysOf(deps, by, merchantId)).filter(({ status }) => status === 'active');
    for (const gateway of active) {
      const label = merchants.length === 1 ? gateway.name : `${name}, ${gateway.name}`;
      if (environment === 'live') {
        found.push({ name: label, ...byHealth(gateway, active, Date.now()) });
        continue;
      }
      const own = answers.filter(({ gatewayId }) => gatewayId === gateway.id);
      const mode = await deps.sandboxGateway.modeOf(by.tenantId, gateway.id);
      found.push({ name: label, ...(mode === 'normal' ? byAnswers(own, nowMs) : played(mode)) });
    }
  }
  return shown(found, environment);
}

const gatewaysOf = async (deps: Pick<Dependencies, 'merchants'>, actor: Actor, merchantId: string): Promise<readonly Gateway[]> =>
  (await deps.merchants.gateways.page(actor, merchantId, {}, { page: 1, limit: GATEWAYS_MAX })).items;

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
  const lines = found.slice(0, LINES_MAX).map(({ name, words, reason }) => fact(name, reason ? `${words}: ${reason}` : words));
  return found.length <= LINES_MAX ? lines : [...lines, fact('More', String(found.length - LINES_MAX))];
}

function played(mode: 'down' | 'slow'): Omit<Found, 'name'> {
  return mode === 'down'
    ? { state: 'problem', words: 'does not answer: the sandbox plays an outage' }
    : { state: 'warning', words: 'answers slowly: the sandbox plays a slow processor' };
}

function byHealth(gateway: Gateway, active: readonly Gateway[], nowMs: number): Omit<Found, 'name'> {
  const { health, check, settings } = gateway;
  const ago = (at: string) => lengthText(Math.max(0, nowMs - Date.parse(at)));
  if (health.state === 'open') {
    const others = active.filter((each) => each.health.state !== 'open' && each.settings?.currency === settings?.currency);
    const instead = others.length === 0 ? 'are refused' : `go to ${others.map(({ name }) => name).join(' or ')}`;
    const since = health.since === null ? '' : ` for ${ago(health.since)}`;
    const what = health.isRefused ? 'refuses its account' : 'has not answered';
    return { state: 'problem', words: `${what}${since}: new payments ${instead}`, reason: health.lastReason };
  }
  if (health.state === 'half-open') return { state: 'warning', words: 'answers again: payments are tried one at a time' };
  if (check?.state !== 'ok') return { state: 'warning', words: 'has not confirmed its account: check it again', reason: check?.reason };
  const { failures, lastFailureAt, lastAnswerAt } = health;
  if (failures > 0 && lastFailureAt !== null && nowMs - Date.parse(lastFailureAt) <= FRESH_MS)
    return { state: 'warning', words: `did not answer the last question, ${ago(lastFailureAt)} ago`, reason: health.lastReason };
  return { state: 'ok', words: lastAnswerAt === null ? 'has not been asked lately' : `answered ${ago(lastAnswerAt)} ago` };
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
