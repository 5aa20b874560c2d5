import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAst } from 'vite';

const ROOT = join(import.meta.dirname, '../..');
const IMPORT = /from '(?:#renderer\/base|\.\.?(?:\/\.\.)*(?:\/base)?)\/language(?:\/index\.ts)?'/;

/** A text of a catalogue, as the code calls `t` or `Trans` with it. */
interface CatalogueText {
  readonly text: string;
  readonly path: string;
  /** True if it has a singular and a plural. */
  readonly isCounted: boolean;
}

interface Node {
  readonly type: string;
  readonly [field: string]: unknown;
}

/**
 * Returns every text of the screens (`renderer`) or of the desktop application (`electron`). @throws Error for a call whose text is not a
 * literal, which no catalogue could contain.
 */
export function catalogueTexts(folder: 'renderer' | 'electron'): CatalogueText[] {
  const texts: CatalogueText[] = [];
  for (const path of readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })) {
    if (!/\.tsx?$/.test(path) || /^(base\/)?language\//.test(path)) continue;
    const code = readFileSync(join(ROOT, folder, path), 'utf8');
    if (IMPORT.test(code)) visit(parseAst(code, { lang: 'tsx' }), path, texts);
  }
  return texts;
}

function visit(value: unknown, path: string, texts: CatalogueText[]): void {
  if (Array.isArray(value)) for (const each of value) visit(each, path, texts);
  else if (isNode(value)) {
    const text = textOf(value, path);
    if (text !== null) texts.push({ path, text, isCounted: /\{\{count\b/.test(text) });
    for (const field of Object.values(value)) visit(field, path, texts);
  }
}

function textOf(node: Node, path: string): string | null {
  if (node.type === 'CallExpression' && isNamed(node.callee, 't')) {
    const [text, values] = node.arguments as Node[];
    return literal(text, path) + contextOf(values);
  }
  if (node.type !== 'JSXAttribute' || !isNamed(node.name, 'i18nKey')) return null;
  const value = node.value as Node;
  return literal(value.type === 'JSXExpressionContainer' ? (value.expression as Node) : value, path);
}

function literal(node: Node | undefined, path: string): string {
  if (node?.type === 'Literal' && typeof node.value === 'string') return node.value;
  throw new Error(`${path}: the text of t() and Trans must be a literal`);
}

/** Returns the suffix of the key of a text with `{ context: 'noun' }`: "_noun". */
function contextOf(values: Node | undefined): string {
  const properties = values?.type === 'ObjectExpression' ? (values.properties as Node[]) : [];
  const context = properties.find(({ key }) => isNamed(key, 'context'))?.value;
  return isNode(context) && typeof context.value === 'string' ? `_${context.value}` : '';
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value;
const isNamed = (node: unknown, name: string) => isNode(node) && node.name === name;
