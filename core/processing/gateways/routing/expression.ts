import { ExpressionError, type Fault, type Token, tokensOf } from './lexer.ts';

const TEXT_MAX = 500;
const DEPTH_MAX = 32;
const LIST_MAX = 50;

export type Value = string | number | boolean;
export type Comparison = '==' | '!=' | '<' | '<=' | '>' | '>=';

/** Fields of conditions with their types. */
const FIELDS = {
  amount: 'number',
  currency: 'text',
  'card.brand': 'text',
  'card.bin': 'text',
  'card.last4': 'text',
  paymentMethod: 'text',
  type: 'text',
  'customer.email': 'text',
} satisfies Record<string, 'number' | 'text'>;
export type FieldName = keyof typeof FIELDS;
const METADATA = 'metadata.';

/** A field of a payment; `metadata` names an entry of its metadata. */
export type Field = { readonly name: FieldName } | { readonly metadata: string };

/** Index of the first character of a part, from 0. */
interface Positioned {
  readonly position: number;
}

/** A part of an expression with its text as written. */
interface SourcePart extends Positioned {
  readonly text: string;
}

/** A parsed expression; every part knows its position. */
export type Expression =
  | (Positioned & { readonly kind: 'and' | 'or'; readonly left: Expression; readonly right: Expression })
  | (Positioned & { readonly kind: 'not'; readonly operand: Expression })
  | (SourcePart & { readonly kind: 'compare'; readonly field: Field; readonly operator: Comparison; readonly value: Value })
  | (SourcePart & { readonly kind: 'in'; readonly field: Field; readonly negated: boolean; readonly values: readonly Value[] })
  /** A metadata entry without a comparison, or a literal true or false. */
  | (SourcePart & { readonly kind: 'truth'; readonly operand: Field | boolean });

type ParseResult = { readonly ok: true; readonly expression: Expression } | { readonly ok: false; readonly fault: Fault };

/**
 * Parses a routing condition: comparisons of the listed fields with literals, joined by and, or, not. Nothing else is valid, so a
 * condition can access nothing else.
 */
export function parseExpression(text: string): ParseResult {
  try {
    if (text.length > TEXT_MAX)
      throw new ExpressionError(TEXT_MAX, text.length - TEXT_MAX, `A condition may have at most ${TEXT_MAX} characters.`);
    if (text.trim() === '') throw new ExpressionError(0, 0, 'The condition is empty.');
    return { ok: true, expression: new Parser(text).parse() };
  } catch (error) {
    if (error instanceof ExpressionError) return { ok: false, fault: error.fault };
    throw error;
  }
}

type FieldType = 'number' | 'text' | 'any';
type Operand = { readonly token: Token } & ({ readonly field: Field; readonly kind: FieldType } | { readonly value: Value });

/** Precedence of the operators; comparisons bind tighter than all of them. */
const PRECEDENCE = { or: 1, and: 2, not: 3 } as const;
const CONNECTIVES = ['and', 'or'] as const;
const COMPARISONS: ReadonlySet<string> = new Set(['==', '!=', '<', '<=', '>', '>=']);
const MIRRORED: Readonly<Record<Comparison, Comparison>> = { '==': '==', '!=': '!=', '<': '>', '<=': '>=', '>': '<', '>=': '<=' };

class Parser {
  readonly #text: string;
  readonly #tokens: readonly Token[];
  #index = 0;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
    this.#tokens = tokensOf(text);
  }

  parse(): Expression {
    const expression = this.#condition(PRECEDENCE.or);
    const remaining = this.#peek();
    if (remaining.kind !== 'end')
      throw fault(remaining, `\`${this.#written(remaining)}\` does not belong here; join conditions with \`and\` or \`or\`.`);
    return expression;
  }

  /** Parses one condition and everything joined to it with at least the given precedence. */
  #condition(minPrecedence: number): Expression {
    let left = this.#single();
    for (;;) {
      const kind = CONNECTIVES.find((word) => PRECEDENCE[word] >= minPrecedence && this.#takeWord(word));
      if (!kind) return left;
      left = { kind, left, right: this.#condition(PRECEDENCE[kind] + 1), position: left.position };
    }
  }

  #single(): Expression {
    const token = this.#peek();
    if (this.#takeWord('not'))
      return { kind: 'not', operand: this.#deeper(token, () => this.#condition(PRECEDENCE.not)), position: token.position };
    if (!this.#takeSign('(')) return this.#comparison();
    return this.#deeper(token, () => {
      const inner = this.#condition(PRECEDENCE.or);
      if (!this.#takeSign(')')) throw fault(this.#peek(), 'A closing parenthesis is missing here.');
      return inner;
    });
  }

  #comparison(): Expression {
    const left = this.#operand();
    const operator = this.#peek();
    if (operator.kind === 'sign' && COMPARISONS.has(operator.text)) {
      this.#index += 1;
      return this.#compare(left, operator, this.#operand());
    }
    const negated = this.#isWord('not') && this.#isWord('in', 1);
    if (negated) this.#index += 1;
    if (this.#takeWord('in')) return this.#membership(left, negated);
    if ('value' in left) {
      if (typeof left.value === 'boolean') return { kind: 'truth', operand: left.value, ...this.#span(left.token, left.token) };
      throw fault(left.token, 'A condition must compare a field with a value, such as `amount > 100`.');
    }
    if (left.kind !== 'any') throw fault(left.token, `\`${left.token.text}\` is not a condition; compare it with a value.`);
    return { kind: 'truth', operand: left.field, ...this.#span(left.token, left.token) };
  }

  #compare(left: Operand, operator: Token, right: Operand): Expression {
    const sign = operator.text as Comparison;
    const next = this.#peek();
    if (next.kind === 'sign' && COMPARISONS.has(next.text)) throw fault(next, "Comparisons can't be chained; join two with `and`.");
    const span = this.#span(left.token, right.token);
    if ('field' in left && 'value' in right)
      return { kind: 'compare', field: left.field, operator: sign, value: checkedValue(left, operator, right), ...span };
    if ('value' in left && 'field' in right)
      return { kind: 'compare', field: right.field, operator: MIRRORED[sign], value: checkedValue(right, operator, left), ...span };
    throw fault(
      right.token,
      'field' in left ? 'A field must be compared with a value, not with another field.' : 'One side must be a field.',
    );
  }

  #membership(left: Operand, negated: boolean): Expression {
    if (!('field' in left)) throw fault(left.token, 'Only a field can be looked up in a list.');
    const open = this.#peek();
    if (!this.#takeSign('[')) throw fault(open, 'A list such as `["visa", "amex"]` is expected here.');
    const values: Value[] = [];
    while (!this.#isSign(']')) {
      if (values.length > 0 && !this.#takeSign(',')) throw fault(this.#peek(), 'A comma or a closing bracket is expected here.');
      const item = this.#operand();
      if (!('value' in item)) throw fault(item.token, 'A list must contain values, not fields.');
      if (values.length > 0 && typeof item.value !== typeof values[0])
        throw fault(item.token, 'All values of a list must have the same type.');
      if (values.length >= LIST_MAX) throw fault(item.token, `A list may have at most ${LIST_MAX} values.`);
      values.push(checkedValue(left, open, item));
    }
    const close = this.#peek();
    this.#index += 1;
    if (values.length === 0) throw fault(close, 'The list is empty.');
    return { kind: 'in', field: left.field, negated, values, ...this.#span(left.token, close) };
  }

  #operand(): Operand {
    const token = this.#peek();
    this.#index += 1;
    if (token.kind === 'number') return { token, value: Number(token.text) };
    if (token.kind === 'string') return { token, value: token.text };
    if (token.kind === 'end') throw fault(token, 'The condition ends too early; a field or a value is expected.');
    if (token.kind === 'sign') throw fault(token, `A field or a value is expected here, not \`${token.text}\`.`);
    const word = token.text.toLowerCase();
    if (word === 'true' || word === 'false') return { token, value: word === 'true' };
    if (Object.hasOwn(FIELDS, token.text)) {
      const name = token.text as FieldName;
      return { token, field: { name }, kind: FIELDS[name] };
    }
    const entry = token.text.startsWith(METADATA) ? token.text.slice(METADATA.length) : '';
    if (entry !== '' && !entry.includes('.')) return { token, field: { metadata: entry }, kind: 'any' };
    throw fault(token, unknownField(token.text));
  }

  #deeper<Result>(token: Token, body: () => Result): Result {
    this.#depth += 1;
    if (this.#depth > DEPTH_MAX) throw fault(token, `A condition may be nested at most ${DEPTH_MAX} deep.`);
    const result = body();
    this.#depth -= 1;
    return result;
  }

  #peek(ahead = 0): Token {
    return this.#tokens[Math.min(this.#index + ahead, this.#tokens.length - 1)] as Token;
  }

  #isWord(word: string, ahead = 0): boolean {
    const token = this.#peek(ahead);
    return token.kind === 'word' && token.text.toLowerCase() === word;
  }

  #takeWord(word: string): boolean {
    if (!this.#isWord(word)) return false;
    this.#index += 1;
    return true;
  }

  #isSign(sign: string): boolean {
    const token = this.#peek();
    return token.kind === 'sign' && token.text === sign;
  }

  #takeSign(sign: string): boolean {
    if (!this.#isSign(sign)) return false;
    this.#index += 1;
    return true;
  }

  #written(token: Token): string {
    return this.#text.slice(token.position, token.position + token.length);
  }

  #span(first: Token, last: Token): SourcePart {
    const { position } = first;
    return { position, text: this.#text.slice(position, last.position + last.length) };
  }
}

function fault(token: Token, message: string): ExpressionError {
  return new ExpressionError(token.position, token.length, message);
}

/** Returns the literal if it may be compared with a field of that type. */
function checkedValue(
  operand: Operand & { readonly kind: FieldType },
  operator: Token,
  literal: Operand & { readonly value: Value },
): Value {
  const { value, token } = literal;
  if (operand.kind === 'any') return value;
  if (operand.kind === 'number') {
    if (typeof value !== 'number')
      throw fault(token, `\`${operand.token.text}\` is a number; compare it with a number such as 100 or 19.99.`);
    return value;
  }
  if (typeof value !== 'string') throw fault(token, `\`${operand.token.text}\` is a text; put the value in quotes.`);
  if (operator.text !== '==' && operator.text !== '!=' && operator.text !== '[')
    throw fault(operator, `\`${operand.token.text}\` is a text; texts are compared with == or !=, or looked up with \`in\`.`);
  return value;
}

function unknownField(written: string): string {
  if (written === 'metadata' || written.startsWith(METADATA)) return 'Name one entry of the metadata, such as `metadata.region`.';
  const names = Object.keys(FIELDS);
  const suggestion =
    names.find((name) => distance(name.toLowerCase(), written.toLowerCase()) <= 2) ?? names.find((name) => name.endsWith(`.${written}`));
  const hint = suggestion ? `; did you mean \`${suggestion}\`?` : `. The fields are: ${names.join(', ')}, metadata.*.`;
  return `\`${written.slice(0, 40)}\` is not a field${hint}`;
}

/** Returns the edit distance of two words; 3 if it is more than 2, which is too much for a suggestion. */
function distance(left: string, right: string): number {
  if (Math.abs(left.length - right.length) > 2) return 3;
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let i = 1; i <= left.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= right.length; j += 1) {
      const cost = left[i - 1] === right[j - 1] ? 0 : 1;
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + cost));
    }
    row = next;
  }
  return row[right.length] ?? 3;
}
