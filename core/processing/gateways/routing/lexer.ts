/** Error in an expression, with a text for its author. */
export interface Fault {
  /** Index of the character, from 0. */
  readonly position: number;
  readonly length: number;
  readonly message: string;
}

/** Thrown inside the parser only; `parseExpression()` returns it as a fault. */
export class ExpressionError extends Error {
  readonly fault: Fault;

  constructor(position: number, length: number, message: string) {
    super(message);
    this.fault = { position, length, message };
  }
}

type TokenKind = 'number' | 'string' | 'word' | 'sign' | 'end';

export interface Token {
  readonly kind: TokenKind;
  /** Text as written; for a string its value. */
  readonly text: string;
  readonly position: number;
  readonly length: number;
}

const PATTERNS: readonly (readonly [TokenKind, RegExp])[] = [
  ['number', /-?\d+(?:\.\d+)?/y],
  ['word', /[A-Za-z_][A-Za-z0-9_-]*(?:\.[A-Za-z0-9_-]+)*/y],
  ['sign', /==|!=|<=|>=|<|>|\(|\)|\[|\]|,/y],
];
const SPACE = /\s*/y;
/** Operators of other languages, with their replacement in this one. */
const REPLACEMENTS: Readonly<Record<string, string>> = { '&': 'and', '|': 'or', '!': 'not', '=': '==' };

/** Splits an expression into its tokens. */
export function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  for (let at = skip(text, 0); at < text.length; ) {
    const token = text[at] === '"' || text[at] === "'" ? stringAt(text, at) : tokenAt(text, at);
    tokens.push(token);
    at = skip(text, at + token.length);
  }
  tokens.push({ kind: 'end', text: '', position: text.length, length: 0 });
  return tokens;
}

function skip(text: string, at: number): number {
  SPACE.lastIndex = at;
  SPACE.test(text);
  return SPACE.lastIndex;
}

function tokenAt(text: string, at: number): Token {
  for (const [kind, pattern] of PATTERNS) {
    pattern.lastIndex = at;
    const [found] = pattern.exec(text) ?? [];
    if (found !== undefined) return { kind, text: found, position: at, length: found.length };
  }
  const sign = String.fromCodePoint(text.codePointAt(at) ?? 0);
  const replacement = REPLACEMENTS[sign];
  throw new ExpressionError(
    at,
    sign.length,
    replacement ? `\`${sign}\` is not an operator; use \`${replacement}\`.` : `\`${sign}\` is not allowed here.`,
  );
}

function stringAt(text: string, at: number): Token {
  const quote = text.charAt(at);
  let value = '';
  for (let index = at + 1; index < text.length; index += 1) {
    const char = text.charAt(index);
    if (char === quote) return { kind: 'string', text: value, position: at, length: index + 1 - at };
    if (char === '\\' && index + 1 < text.length) {
      index += 1;
      const escaped = text.charAt(index);
      if (escaped !== quote && escaped !== '\\')
        throw new ExpressionError(index - 1, 2, 'A backslash is allowed only before a quote or a backslash.');
      value += escaped;
    } else value += char;
  }
  throw new ExpressionError(at, text.length - at, 'This text has no closing quote.');
}
