import type { Comparison, Expression, Field, FieldName, Value } from './expression.ts';

/** Attributes of a payment that routing conditions can use. */
export interface RoutingAttributes {
  /** Amount in major units. */
  readonly amount: number;
  readonly currency: string;
  readonly card?: { readonly brand?: string; readonly bin?: string; readonly last4?: string };
  readonly paymentMethod: string;
  readonly type: string;
  readonly customer?: { readonly email?: string };
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/** A comparison that was evaluated, and its result. */
export interface Reason {
  /** Text of the comparison as written. */
  readonly text: string;
  /** Value of the field; null if the payment has none. */
  readonly value: Value | null;
  readonly result: boolean;
}

interface Judgement {
  readonly matched: boolean;
  /** Comparisons in the order of their evaluation; comparisons that could not change the result are missing. */
  readonly reasons: readonly Reason[];
}

/** The only access to fields, so that a name never reaches a property by itself. */
const READERS: Readonly<Record<FieldName, (facts: RoutingAttributes) => Value | undefined>> = {
  amount: (facts) => facts.amount,
  currency: (facts) => facts.currency,
  'card.brand': (facts) => facts.card?.brand,
  'card.bin': (facts) => facts.card?.bin,
  'card.last4': (facts) => facts.card?.last4,
  paymentMethod: (facts) => facts.paymentMethod,
  type: (facts) => facts.type,
  'customer.email': (facts) => facts.customer?.email,
};
const ANY_CASE: ReadonlySet<FieldName> = new Set<FieldName>(['card.brand', 'currency', 'paymentMethod', 'type', 'customer.email']);

/** Returns whether a payment meets a condition, and the reasons. A missing value equals nothing. */
export function evaluate(expression: Expression, facts: RoutingAttributes): Judgement {
  const reasons: Reason[] = [];
  const matched = judge(expression, facts, reasons);
  return { matched, reasons };
}

function judge(expression: Expression, facts: RoutingAttributes, reasons: Reason[]): boolean {
  switch (expression.kind) {
    case 'and':
      return judge(expression.left, facts, reasons) && judge(expression.right, facts, reasons);
    case 'or':
      return judge(expression.left, facts, reasons) || judge(expression.right, facts, reasons);
    case 'not':
      return !judge(expression.of, facts, reasons);
    default: {
      const { value, result } = leaf(expression, facts);
      reasons.push({ text: expression.text, value, result });
      return result;
    }
  }
}

function leaf(
  expression: Extract<Expression, { readonly text: string }>,
  facts: RoutingAttributes,
): { value: Value | null; result: boolean } {
  if (expression.kind === 'truth') {
    if (typeof expression.of === 'boolean') return { value: expression.of, result: expression.of };
    const value = read(expression.of, facts);
    return { value: value ?? null, result: value === true };
  }
  const value = read(expression.field, facts);
  if (expression.kind === 'in') {
    const found = value !== undefined && expression.values.some((one) => equals(expression.field, value, one));
    return { value: value ?? null, result: found !== expression.negated };
  }
  return { value: value ?? null, result: compare(expression.field, value, expression.operator, expression.value) };
}

function read(field: Field, facts: RoutingAttributes): Value | undefined {
  if ('name' in field) return READERS[field.name](facts);
  const { metadata } = facts;
  if (metadata === undefined || !Object.hasOwn(metadata, field.metadata)) return undefined;
  const value = metadata[field.metadata];
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : undefined;
}

function equals(field: Field, left: Value, right: Value): boolean {
  if ('name' in field && ANY_CASE.has(field.name)) return String(left).toLowerCase() === String(right).toLowerCase();
  return left === right;
}

function compare(field: Field, left: Value | undefined, operator: Comparison, right: Value): boolean {
  if (operator === '==') return left !== undefined && equals(field, left, right);
  if (operator === '!=') return left === undefined || !equals(field, left, right);
  // Only what is of one type has an order.
  if (left === undefined || typeof left !== typeof right) return false;
  switch (operator) {
    case '<':
      return left < right;
    case '<=':
      return left <= right;
    case '>':
      return left > right;
    default:
      return left >= right;
  }
}
