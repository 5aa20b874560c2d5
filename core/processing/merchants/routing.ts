import { assert, ServiceError } from '#core/kernel';
import { channelObstacle, evaluate, parseExpression, type Reason, type RoutingAttributes } from '#core/processing/gateways';
import type { Dependencies } from './dependencies.ts';
import { CREDENTIALS_UNREADABLE, checkOf, gatewaysOf, isNamed, settingsOf } from './gateway.ts';
import type { Merchant } from './merchant.ts';
import type { GatewayRow } from './schema.ts';
import type { RoutingRule, Sections } from './settings.ts';

const RULES_MAX = 50;

/** A gateway that can take a payment. */
interface Candidate {
  readonly gatewayId: string;
  readonly name: string;
  readonly type: string;
  /** Index of the rule that named it; null if no rule did. */
  readonly rule: number | null;
}

/** Result of evaluating a rule. */
export interface RuleTrace {
  readonly index: number;
  /** The expression, or `default`. */
  readonly condition: string;
  readonly gateway: string;
  readonly matched: boolean;
  /** Reason why a matching rule was skipped: its gateway does not exist, or cannot take the payment. */
  readonly skipped: string | null;
  readonly reasons: readonly Reason[];
}

/** Reason why a gateway cannot take a payment. */
type Obstacle = 'disabled' | 'lost' | 'currency' | 'bank-account' | 'channel' | 'away';

/** A gateway that was skipped, with the reason as a sentence. */
export interface SkippedGateway {
  readonly gatewayId: string;
  readonly name: string;
  readonly skipped: string;
}

/** Route of a payment: the gateways to try in order, with the reasons. */
export interface Route {
  readonly candidates: readonly Candidate[];
  readonly trace: readonly RuleTrace[];
  /** All gateways of the merchant. */
  readonly gateways: readonly Pick<Candidate, 'gatewayId' | 'name'>[];
  /** Gateways that cannot take the payment, independent of the rules. */
  readonly passedOver: readonly SkippedGateway[];
  /** Reason why there is no candidate; null if there is one. */
  readonly refusal: Refusal | null;
}

/** Reason why no gateway can take a payment. */
export interface Refusal {
  readonly reason: 'none' | Exclude<Obstacle, 'disabled'>;
  readonly currency: string;
  /** For `channel`: the reason of the gateway, as a sentence. */
  readonly text: string | null;
}

const gatewayOf = (rule: RoutingRule) => ('default' in rule ? rule.default : rule.gateway);

/**
 * Checks routing rules. @throws ServiceError VALIDATION_ERROR with the index of the rule and the position of the fault in it.
 */
export function checkRules(rules: readonly RoutingRule[], gateways: readonly GatewayRow[]): void {
  const invalidRule = (index: number, message: string, part: string, details: Record<string, unknown> = {}) =>
    new ServiceError('VALIDATION_ERROR', `Rule ${index + 1}: ${message}`, {
      field: `rules.${index}.${part}`,
      details: { index, ...details },
    });
  if (rules.length > RULES_MAX) throw new ServiceError('VALIDATION_ERROR', `There can be at most ${RULES_MAX} rules.`, { field: 'rules' });
  rules.forEach((rule, index) => {
    if ('default' in rule) {
      if (index < rules.length - 1) throw invalidRule(index, 'the default must be the last rule.', 'default');
    } else {
      const parsed = parseExpression(rule.condition);
      if (!parsed.ok)
        throw invalidRule(index, parsed.fault.message, 'condition', { position: parsed.fault.position, length: parsed.fault.length });
    }
    const name = gatewayOf(rule);
    if (!gateways.some((row) => isNamed(row, name)))
      throw invalidRule(index, `there is no gateway named ${name.slice(0, 60)}.`, 'default' in rule ? 'default' : 'gateway', {
        gateways: gateways.map((row) => row.name),
      });
  });
}

/**
 * Applies the rules to a payment. The first matching rule wins; later matches are tried if its gateway does not answer. If no rule decides,
 * gateways follow by priority, and those in test mode only while no live one is active, because a receipt must mean a real payment.
 * `isAway` reports gateways that do not answer at present, `isLost` those whose credentials cannot be decrypted.
 */
export function routePayment(
  { rules }: Sections['gateway-routing'],
  gateways: readonly GatewayRow[],
  facts: RoutingAttributes,
  isUnavailable: (gatewayId: string) => boolean = () => false,
  isLost: (gatewayId: string) => boolean = () => false,
): Route {
  const candidates: Candidate[] = [];
  const trace: RuleTrace[] = [];
  const obstacles = new Map(gateways.map((row) => [row.id, obstacleOf(row, facts, isUnavailable, isLost)]));
  const skipReasonOf = (row: GatewayRow) => obstacleText(obstacles.get(row.id) ?? null, row, facts);
  rules.forEach((rule, index) => {
    const { matched, reasons, condition } = evaluateRule(rule, facts);
    const gateway = gatewayOf(rule);
    const row = gateways.find((candidate) => isNamed(candidate, gateway));
    const skipped = !matched ? null : row ? skipReasonOf(row) : 'This gateway no longer exists.';
    trace.push({ index, condition, gateway: row?.name ?? gateway, matched, skipped, reasons });
    if (matched && row && skipped === null && !candidates.some(({ gatewayId }) => gatewayId === row.id))
      candidates.push({ gatewayId: row.id, name: row.name, type: row.type, rule: index });
  });
  const hasLive = gateways.some((row) => row.status === 'active' && modeOf(row) === 'live');
  const isTestFallback = (row: GatewayRow) =>
    hasLive && modeOf(row) === 'test' && !candidates.some(({ gatewayId }) => gatewayId === row.id);
  const passedOver = gateways.flatMap((row) => {
    const skipped = skipReasonOf(row) ?? (isTestFallback(row) ? IN_TEST_MODE : null);
    return skipped === null ? [] : [{ gatewayId: row.id, name: row.name, skipped }];
  });
  if (candidates.length === 0)
    for (const row of gateways)
      if (obstacles.get(row.id) === null && !isTestFallback(row))
        candidates.push({ gatewayId: row.id, name: row.name, type: row.type, rule: null });
  const refusal = candidates.length > 0 ? null : refusalFrom(gateways, obstacles, facts);
  return { candidates, trace, gateways: gateways.map(({ id: gatewayId, name }) => ({ gatewayId, name })), passedOver, refusal };
}

/** Returns the error of a payment that no gateway can take; null if one can. */
export function refusalOf({ refusal }: Pick<Route, 'refusal'>): ServiceError | null {
  switch (refusal?.reason) {
    case undefined:
      return null;
    case 'currency':
      return new ServiceError('INVALID_CURRENCY', `No gateway of this merchant accepts ${refusal?.currency}. Nothing was charged.`, {
        field: 'currency',
      });
    case 'bank-account':
      return new ServiceError('VALIDATION_ERROR', 'No gateway of this merchant accepts bank payments. Nothing was charged.', {
        field: 'paymentMethod',
      });
    case 'channel':
      return new ServiceError('VALIDATION_ERROR', `${refusal?.text} Nothing was charged.`, {
        field: 'channel',
        details: { reason: 'channel_not_accepted' },
      });
    case 'away':
      return new ServiceError('GATEWAY_UNAVAILABLE', 'No gateway of this merchant is responding. Nothing was charged. Try again soon.', {
        details: { reason: 'gateways_away' },
      });
    case 'lost':
      return new ServiceError('GATEWAY_UNAVAILABLE', 'The credentials of the gateway must be entered again. Nothing was charged.', {
        details: { reason: 'credentials_lost' },
      });
    case 'none':
      return new ServiceError('GATEWAY_UNAVAILABLE', 'No payment gateway is set up for this merchant. Nothing was charged.');
  }
}

const IN_TEST_MODE = 'This gateway is in test mode. While a live gateway is active, it is used only if a routing rule selects it.';

const modeOf = (row: GatewayRow) => settingsOf(row)?.mode;

function obstacleOf(
  row: GatewayRow,
  facts: RoutingAttributes,
  isUnavailable: (gatewayId: string) => boolean,
  isLost: (gatewayId: string) => boolean,
): Obstacle | null {
  if (row.status === 'disabled') return 'disabled';
  if (isLost(row.id)) return 'lost';
  const settings = settingsOf(row);
  if (settings && settings.currency !== facts.currency) return 'currency';
  if (isOfBankAccount(facts) && checkOf(row)?.takesBankAccounts === false) return 'bank-account';
  if (channelText(row, facts) !== null) return 'channel';
  return isUnavailable(row.id) ? 'away' : null;
}

/** Returns true for a payment by bank account. A stored bank account is a token without a card. */
const isOfBankAccount = ({ paymentMethod, card }: RoutingAttributes) =>
  paymentMethod === 'ach' || (paymentMethod === 'token' && card === undefined);

/** Returns the reason why a gateway does not take the channel of a payment; null if it does, or if the payment has none. */
function channelText(row: GatewayRow, { channel }: RoutingAttributes): string | null {
  const settings = settingsOf(row);
  if (channel === undefined || settings === null) return null;
  return channelObstacle(row.type, channel, { channels: settings.channels, markets: checkOf(row)?.markets ?? null });
}

function obstacleText(obstacle: Obstacle | null, row: GatewayRow, facts: RoutingAttributes): string | null {
  switch (obstacle) {
    case null:
      return null;
    case 'disabled':
      return 'This gateway is disabled.';
    case 'lost':
      return CREDENTIALS_UNREADABLE;
    case 'currency':
      return `This gateway accepts ${settingsOf(row)?.currency} only.`;
    case 'bank-account':
      return 'This gateway does not accept bank payments.';
    case 'channel':
      return channelText(row, facts);
    case 'away':
      return 'This gateway is not responding.';
  }
}

/** Returns the reason to report if every gateway has one: that of the gateway closest to taking the payment. */
function closestObstacle(obstacles: readonly (Obstacle | null)[]): Refusal['reason'] {
  return (['away', 'lost', 'channel', 'bank-account', 'currency'] as const).find((each) => obstacles.includes(each)) ?? 'none';
}

function refusalFrom(gateways: readonly GatewayRow[], obstacles: ReadonlyMap<string, Obstacle | null>, facts: RoutingAttributes): Refusal {
  const reason = closestObstacle([...obstacles.values()]);
  const row = gateways.find(({ id }) => obstacles.get(id) === reason);
  return { reason, currency: facts.currency, text: reason === 'channel' && row ? channelText(row, facts) : null };
}

function evaluateRule(rule: RoutingRule, facts: RoutingAttributes): { matched: boolean; reasons: readonly Reason[]; condition: string } {
  if ('default' in rule) return { matched: true, reasons: [], condition: 'default' };
  const parsed = parseExpression(rule.condition);
  assert(parsed.ok, 'the conditions of saved rules were checked');
  return { ...evaluate(parsed.expression, facts), condition: rule.condition };
}

/** Returns the gateways for a payment of a merchant, with the reasons. `rules` replaces the saved rules, for a simulation. */
export async function route(
  deps: Dependencies,
  merchant: Merchant,
  tenantId: string,
  facts: RoutingAttributes,
  rules?: readonly RoutingRule[],
): Promise<Route> {
  const list = await gatewaysOf(deps, tenantId, merchant.merchantId);
  if (rules) checkRules(rules, list);
  const lost = await deps.directory.accounts.unreadableAmong(list);
  return routePayment(rules ? { rules } : merchant.routing, list, facts, deps.gateways.isOpen, (id) => lost.has(id));
}
