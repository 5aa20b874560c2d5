/** Translation of an English sentence. `{1}` stays as it is; `{1:text}` is itself a text of the service and is translated too. */
interface Pattern {
  readonly expression: RegExp;
  readonly literals: readonly string[];
  readonly translation: string;
}

const PLACEHOLDER = /\{(\d)(:text)?\}/g;
const SENTENCE_END = /[.!?](?= \S)/g;

let catalogue: Readonly<Record<string, string>> | null = null;
let patterns: readonly Pattern[] | null = null;

/**
 * Sets the catalogue of the language of the page: English sentences with `{1}`, `{2}` … for their variable parts, and their translations. English has
 * none.
 */
export function loadServiceTexts(texts: Readonly<Record<string, string>> | null): void {
  catalogue = texts;
  patterns = null;
}

/**
 * Returns a text that the service wrote in English in the language of the page. An unknown text, or an unknown sentence of several, stays
 * English.
 */
export function serviceText(text: string): string {
  if (catalogue === null) return text;
  return find(text) ?? bySentence(text);
}

function find(text: string): string | null {
  if (catalogue === null) return null;
  if (Object.hasOwn(catalogue, text)) return catalogue[text] ?? null;
  patterns ??= compile(catalogue);
  for (const { expression, literals, translation } of patterns) {
    if (!literals.every((literal) => text.includes(literal))) continue;
    const parts = expression.exec(text);
    if (parts !== null)
      return translation.replace(PLACEHOLDER, (_, number: string, isText?: string) => {
        const part = parts[Number(number)] ?? '';
        return isText ? serviceText(part) : part;
      });
  }
  return null;
}

/** Translates a text whose sentences are known separately, the longest known beginning first. */
function bySentence(text: string): string {
  const ends = [...text.matchAll(SENTENCE_END)].map(({ index }) => index + 1);
  for (const end of ends.toReversed()) {
    const beginning = find(text.slice(0, end));
    if (beginning !== null) return `${beginning} ${serviceText(text.slice(end + 1))}`;
  }
  const [first] = ends;
  return first === undefined ? text : `${text.slice(0, first)} ${serviceText(text.slice(first + 1))}`;
}

/** Returns the patterns, those with the most literal characters first. */
function compile(texts: Readonly<Record<string, string>>): readonly Pattern[] {
  return Object.entries(texts)
    .filter(([key]) => key.search(PLACEHOLDER) >= 0)
    .map(([key, translation]) => {
      const literals = key.split(/\{\d\}/);
      return { translation, literals: literals.filter((literal) => literal !== ''), expression: expressionOf(literals, translation) };
    })
    .toSorted((a, b) => b.literals.join('').length - a.literals.join('').length);
}

/** A variable part at the beginning ends with its sentence, so that it never includes sentences before, unless it is itself a text of the service. */
function expressionOf(literals: readonly string[], translation: string): RegExp {
  const [beginning = '', ...others] = literals.map((literal) => literal.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  const first = beginning === '' && !translation.includes('{1:text}') ? '((?:(?![.!?] ).)*?)' : '(.*?)';
  const source = others.map((part, index) => `${index === 0 ? first : '(.*?)'}${part}`).join('');
  return new RegExp(`^${beginning}${source}$`, 's');
}
