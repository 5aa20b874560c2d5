import type { ChannelFacts } from '../channels.ts';
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
  /** Channel of a payment, by which gateways are skipped. Conditions cannot use it. */
  readonly channel?: ChannelFacts;
}

/** A comparison that was evaluated, and its result. */
export interface Reason {
  /** Text of the comparison as written. */
  readonly text: string;
  /** Value of the field; null if the payment has none. */
  readonly value: Value | null;
  readonly result: boolean;
}

interface Evaluation {
  readonly matched: boolean;
  /** Comparisons in the order of their evaluation; comparisons that could not change the result are missing. */
  readonly reasons: readonly Reason[];
}

/** Readers of the fields. Only they access attributes, so that an expression cannot reach other properties. */
const FIELD_READERS: Readonly<Record<FieldName, (attributes: RoutingAttributes) => Value | undefined>> = {
  amount: (attributes) => attributes.amount,
  currency: (attributes) => attributes.currency,
  'card.brand': (attributes) => attributes.card?.brand,
  'card.bin': (attributes) => attributes.card?.bin,
  'card.last4': (attributes) => attributes.card?.last4,
  paymentMethod: (attributes) => attributes.paymentMethod,
  type: (attributes) => attributes.type,
  'customer.email': (attributes) => attributes.customer?.email,
};
const CASE_INSENSITIVE: ReadonlySet<FieldName> = new Set<FieldName>(['card.brand', 'currency', 'paymentMethod', 'type', 'customer.email']);

/** Returns whether a payment meets a condition, and the reasons. A missing value equals nothing. */
export function evaluate(expression: Expression, attributes: RoutingAttributes): Evaluation {
  const reasons: Reason[] = [];
  const matched = evaluateNode(expression, attributes, reasons);
  return { matched, reasons };
}

function evaluateNode(expression: Expression, attributes: RoutingAttributes, reasons: Reason[]): boolean {
  switch (expression.kind) {
    case 'and':
      return evaluateNode(expression.left, attributes, reasons) && evaluateNode(expression.right, attributes, reasons);
    case 'or':
      return evaluateNode(expression.left, attributes, reasons) || evaluateNode(expression.right, attributes, reasons);
    case 'not':
      return !evaluateNode(expression.operand, attributes, reasons);
    default: {
      const { value, result } = evaluateComparison(expression, attributes);
      reasons.push({ text: expression.text, value, result });
      return result;
    }
  }
}

function evaluateComparison(
  expression: Extract<Expression, { readonly text: string }>,
  attributes: RoutingAttributes,
): { value: Value | null; result: boolean } {
  if (expression.kind === 'truth') {
    if (typeof expression.operand === 'boolean') return { value: expression.operand, result: expression.operand };
    const value = read(expression.operand, attributes);
    return { value: value ?? null, result: value === true };
  }
  const value = read(expression.field, attributes);
  if (expression.kind === 'in') {
    const found = value !== undefined && expression.values.some((one) => equals(expression.field, value, one));
    return { value: value ?? null, result: found !== expression.negated };
  }
  return { value: value ?? null, result: compare(expression.field, value, expression.operator, expression.value) };
}

function read(field: Field, attributes: RoutingAttributes): Value | undefined {
  if ('name' in field) return FIELD_READERS[field.name](attributes);
  const { metadata } = attributes;
  if (metadata === undefined || !Object.hasOwn(metadata, field.metadata)) return undefined;
  const value = metadata[field.metadata];
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : undefined;
}

function equals(field: Field, left: Value, right: Value): boolean {
  if ('name' in field && CASE_INSENSITIVE.has(field.name)) return String(left).toLowerCase() === String(right).toLowerCase();
  return left === right;
}

function compare(field: Field, left: Value | undefined, operator: Comparison, right: Value): boolean {
  if (operator === '==') return left !== undefined && equals(field, left, right);
  if (operator === '!=') return left === undefined || !equals(field, left, right);
  // Only values of the same type are ordered.
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
