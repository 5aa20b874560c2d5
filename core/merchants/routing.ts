import { evaluate, type Facts, parseExpression, type Reason } from '#core/gateways';
import { ServiceError } from '#core/kernel';
import { isNamed } from './gateways.ts';
import type { GatewayRow } from './schema.ts';
import type { Routing, RoutingRule } from './settings.ts';

const RULES_MAX = 50;

/** A gateway that may take a payment, in its turn. */
export interface Candidate {
  readonly gatewayId: string;
  readonly name: string;
  readonly type: string;
  /** Index of the rule that named it; null where none did. */
  readonly rule: number | null;
}

/** What became of a rule that was looked at. */
export interface RuleTrace {
  readonly index: number;
  /** The expression, or `default`. */
  readonly condition: string;
  readonly gateway: string;
  readonly matched: boolean;
  /** Why a matching rule was passed over: its gateway is not there or disabled. */
  readonly skipped: string | null;
  readonly reasons: readonly Reason[];
}

/** Where a payment goes: the gateways to try in their order, and why. */
export interface Route {
  readonly candidates: readonly Candidate[];
  readonly trace: readonly RuleTrace[];
}

const gatewayOf = (rule: RoutingRule) => ('default' in rule ? rule.default : rule.gateway);

/** Refuses rules that cannot be followed: VALIDATION_ERROR with the index of the rule and the place of the fault in it (decisions 9). */
export function checkRules(rules: readonly RoutingRule[], gateways: readonly GatewayRow[]): void {
  const refuse = (index: number, words: string, part: string, details: Record<string, unknown> = {}) =>
    new ServiceError('VALIDATION_ERROR', `Rule ${index + 1}: ${words}`, {
      field: `rules.${index}.${part}`,
      details: { index, ...details },
    });
  if (rules.length > RULES_MAX) throw new ServiceError('VALIDATION_ERROR', `There may be ${RULES_MAX} rules.`, { field: 'rules' });
  rules.forEach((rule, index) => {
    if ('default' in rule) {
      if (index < rules.length - 1) throw refuse(index, 'the default stands last.', 'default');
    } else {
      const parsed = parseExpression(rule.condition);
      if (!parsed.ok)
        throw refuse(index, parsed.fault.message, 'condition', { position: parsed.fault.position, length: parsed.fault.length });
    }
    const name = gatewayOf(rule);
    if (!gateways.some((row) => isNamed(row, name)))
      throw refuse(index, `there is no gateway ${name.slice(0, 60)}.`, 'default' in rule ? 'default' : 'gateway', {
        gateways: gateways.map((row) => row.name),
      });
  });
}

/**
 * Follows the rules for a payment. The first rule that matches wins; those that match after it are what is tried when its gateway is away.
 * Where no rule decides, the gateways go by their priority.
 */
export function follow({ rules }: Routing, gateways: readonly GatewayRow[], facts: Facts): Route {
  const candidates: Candidate[] = [];
  const trace: RuleTrace[] = [];
  rules.forEach((rule, index) => {
    const { matched, reasons, condition } = judge(rule, facts);
    const gateway = gatewayOf(rule);
    const row = gateways.find((one) => isNamed(one, gateway));
    const skipped = !matched
      ? null
      : !row
        ? 'This gateway is not there any more.'
        : row.status === 'disabled'
          ? 'This gateway is disabled.'
          : null;
    trace.push({ index, condition, gateway: row?.name ?? gateway, matched, skipped, reasons });
    if (matched && row && skipped === null && !candidates.some(({ gatewayId }) => gatewayId === row.id))
      candidates.push({ gatewayId: row.id, name: row.name, type: row.type, rule: index });
  });
  if (candidates.length > 0) return { candidates, trace };
  const byPriority = gateways.filter((row) => row.status === 'active');
  return { candidates: byPriority.map((row) => ({ gatewayId: row.id, name: row.name, type: row.type, rule: null })), trace };
}

function judge(rule: RoutingRule, facts: Facts): { matched: boolean; reasons: readonly Reason[]; condition: string } {
  if ('default' in rule) return { matched: true, reasons: [], condition: 'default' };
  const parsed = parseExpression(rule.condition);
  // What was saved was checked; a rule that an older version let pass matches nothing.
  if (!parsed.ok) return { matched: false, reasons: [], condition: rule.condition };
  return { ...evaluate(parsed.expression, facts), condition: rule.condition };
}
