import type { Actor } from '#core/kernel';
import type { SandboxMode } from '#core/processing/gateways';
import type { Gateway, Merchant } from '#core/processing/merchants';
import type { GatewayResult } from '#core/sales/payments';
import type { Dependencies, StatusRequest } from './dependencies.ts';
import { durationText, fact, item, worst } from './item.ts';
import type { GatewayCircuit, StatusFact, StatusItem } from './records.ts';

/** Consecutive unanswered requests that count as an outage. */
const OUTAGE_ANSWERS = 3;
/** Age after which an event says nothing about the present. */
const FRESH_MS = 60 * 60_000;
const GATEWAYS_MAX = 20;
/** Up to this number, each one gets its own line. */
const LINES_MAX = 12;

interface GatewayFinding {
  readonly name: string;
  readonly state: StatusItem['state'];
  readonly description: string;
  /** Detail that is too long for a sentence. */
  readonly reason?: string | null;
}

/** Returns this server's circuit state of each gateway of the caller's merchants. */
export async function gatewayCircuits(deps: Pick<Dependencies, 'merchants'>, actor: Actor): Promise<GatewayCircuit[]> {
  const circuits: GatewayCircuit[] = [];
  for (const { merchantId } of await deps.merchants.merchantsOf(actor))
    for (const { id, name, type, status, settings, health } of await gatewaysOf(deps, actor, merchantId))
      circuits.push({ gatewayId: id, merchantId, name, type, status, currency: settings?.currency ?? null, health });
  return circuits;
}

/**
 * Returns the status of the gateways of the caller's merchants: the mode of the sandbox or its last answers, and the circuit state of live
 * gateways.
 */
export async function gatewaysItem(deps: Dependencies, { actor, environment, nowMs }: StatusRequest): Promise<StatusItem> {
  const merchants = await deps.merchants.merchantsOf(actor);
  const answers = environment === 'sandbox' ? await deps.payments.recentGatewayResults(actor.tenantId) : [];
  const findings: GatewayFinding[] = [];
  let agreed: Awaited<ReturnType<typeof agreedCharges>> | undefined;
  for (const merchant of merchants) {
    const { merchantId, name } = merchant;
    const active = (await gatewaysOf(deps, actor, merchantId)).filter(({ status }) => status === 'active');
    for (const gateway of active) {
      const label = merchants.length === 1 ? gateway.name : `${name}, ${gateway.name}`;
      if (environment === 'live') {
        findings.push({ name: label, ...findingByHealth(gateway, active, Date.now()) });
        continue;
      }
      const gatewayAnswers = answers.filter(({ gatewayId }) => gatewayId === gateway.id);
      const mode = await deps.sandboxGateway.modeOf(actor.tenantId, gateway.id);
      findings.push({ name: label, ...(mode === 'normal' ? findingByAnswers(gatewayAnswers, nowMs) : SIMULATED_MODES[mode]) });
    }
    // The sandbox gateway takes every payment.
    if (active.some(({ settings }) => settings === null)) continue;
    agreed ??= await agreedCharges(deps, actor, merchants);
    const charges = agreed.filter((each) => each.merchantId === merchantId);
    const { count, reason } = await deps.payments.countRefusedCharges(actor, merchant, charges);
    if (count > 0) findings.push({ name, state: 'warning', description: refusedText(count), reason });
  }
  return gatewaysItemOf(findings, environment);
}

const agreedCharges = async ({ recurring, installments }: Dependencies, actor: Actor, merchants: readonly Merchant[]) => [
  ...(await recurring.agreedCharges(actor, merchants)),
  ...(await installments.agreedCharges(actor, merchants)),
];

const gatewaysOf = async (deps: Pick<Dependencies, 'merchants'>, actor: Actor, merchantId: string): Promise<readonly Gateway[]> =>
  (await deps.merchants.gateways.page(actor, merchantId, {}, { page: 1, limit: GATEWAYS_MAX })).items;

function gatewaysItemOf(findings: readonly GatewayFinding[], environment: 'sandbox' | 'live'): StatusItem {
  const facts = factsOf(findings);
  const state = worst(findings.map((each) => each.state));
  const [first] = findings.filter((each) => each.state === state);
  if (!first) {
    const message = 'No gateway is set up, so no payment can be accepted.';
    return item('gateways', { state: environment === 'live' ? 'problem' : 'warning', message, action: 'open-gateways' });
  }
  if (state === 'ok') {
    const message = findings.length === 1 ? `${first.name} accepts payments.` : `All ${findings.length} gateways accept payments.`;
    return item('gateways', { message }, facts);
  }
  return item('gateways', { state, message: `${first.name} ${first.description}.`, action: 'open-gateways' }, facts);
}

function factsOf(findings: readonly GatewayFinding[]): StatusFact[] {
  const lines = findings
    .slice(0, LINES_MAX)
    .map(({ name, description, reason }) => fact(name, reason ? `${description}: ${reason}` : description));
  return findings.length <= LINES_MAX ? lines : [...lines, fact('More', String(findings.length - LINES_MAX))];
}

const refusedText = (count: number) =>
  count === 1
    ? 'has a subscription or installment plan whose next payment no gateway takes'
    : `has ${count} subscriptions and installment plans whose next payments no gateway takes`;

const SIMULATED_MODES: Record<Exclude<SandboxMode, 'normal'>, Omit<GatewayFinding, 'name'>> = {
  down: { state: 'problem', description: 'does not respond because the sandbox simulates an outage' },
  slow: { state: 'warning', description: 'responds slowly because the sandbox simulates a slow processor' },
  silent: { state: 'problem', description: 'executes requests without answering because the sandbox simulates lost answers' },
};

function findingByHealth(gateway: Gateway, active: readonly Gateway[], nowMs: number): Omit<GatewayFinding, 'name'> {
  const { health, check, settings } = gateway;
  const ago = (at: string) => durationText(Math.max(0, nowMs - Date.parse(at)));
  if (health.state === 'open') {
    const others = active.filter((each) => each.health.state !== 'open' && each.settings?.currency === settings?.currency);
    const instead = others.length === 0 ? 'are refused' : `go to ${others.map(({ name }) => name).join(' or ')}`;
    const since = health.since === null ? '' : ` for ${ago(health.since)}`;
    const problem = health.isRefused ? 'refuses its account' : 'has not responded';
    return { state: 'problem', description: `${problem}${since}: new payments ${instead}`, reason: health.lastReason };
  }
  if (health.state === 'half-open') return { state: 'warning', description: 'responds again; payments are being sent one at a time' };
  if (check?.state !== 'ok')
    return { state: 'warning', description: 'has not confirmed its account yet; check the account again', reason: check?.reason };
  const { failures, lastFailureAt, lastAnswerAt } = health;
  if (failures > 0 && lastFailureAt !== null && nowMs - Date.parse(lastFailureAt) <= FRESH_MS)
    return { state: 'warning', description: `did not respond to the last request, ${ago(lastFailureAt)} ago`, reason: health.lastReason };
  return { state: 'ok', description: lastAnswerAt === null ? 'has received no request lately' : `answered ${ago(lastAnswerAt)} ago` };
}

/** Returns true if the gateway gave no answer. A decline is an answer. */
const isUnanswered = ({ result }: GatewayResult) => result === 'failed' || result === 'unconfirmed';

function findingByAnswers(answers: readonly GatewayResult[], nowMs: number): Omit<GatewayFinding, 'name'> {
  const [last] = answers;
  if (!last) return { state: 'ok', description: 'has received no request lately' };
  const ago = durationText(Math.max(0, nowMs - Date.parse(last.at)));
  const answered = answers.findIndex((answer) => !isUnanswered(answer));
  const unanswered = answered === -1 ? answers.length : answered;
  if (unanswered === 0) return { state: 'ok', description: `answered ${ago} ago` };
  if (nowMs - Date.parse(last.at) > FRESH_MS) return { state: 'ok', description: `has received no request since it failed ${ago} ago` };
  if (unanswered < OUTAGE_ANSWERS) return { state: 'warning', description: `did not respond to the last payment, ${ago} ago` };
  return { state: 'problem', description: `has not responded to the last ${unanswered} payments, the newest ${ago} ago` };
}
