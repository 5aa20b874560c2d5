import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAst } from 'vite';

const ROOT = join(import.meta.dirname, '../..');

/** Modules of documents and messages, which have their own language, of reports that only the log shows, and names of columns in files of banks. */
const OTHER_TEXTS =
  /^core\/\w+\/(notifications\/texts|audit-anchors\/texts|customer-page\/texts|invoicing\/(texts|pdf|reminders\/texts)|statements\/texts|receipts\/(texts|content|shift-content|tender|mail|text|pdf)|disputes\/evidence\/(letter|pdf|archive|exhibits)|journal\/formats|settlement\/funding-mail|bank\/statements\/csv-layouts|bank\/close\/pdf|gateways\/(authorizenet|nmi)\/(settlement|disputes)|reporting\/integrity)/;
/** Functions whose texts no screen shows. */
const UNSEEN = new Set(['report', 'Error', 'text', 'assert', 'exec', 'prepare']);
/** Functions of the desktop application whose texts go to the log, or are in the application's own catalogue. */
const UNSEEN_OF_DESKTOP = new Set(['t', 'Error', 'TypeError', 'error', 'warn', 'log']);
const SQL = /SELECT|UPDATE |INSERT /;
const SENTENCE = /^[A-Z`{].*\s.*[.?]$/s;

interface Node {
  readonly type: string;
  readonly [field: string]: unknown;
}

/**
 * Returns the sentences of `core/`, the messages of errors of `server/` and the problems of `electron/` that the screens show, with `{1}`, `{2}`
 * … for their variable parts.
 */
export function serviceTexts(): string[] {
  const texts = new Set<string>();
  for (const folder of ['core', 'server', 'electron'])
    for (const file of readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })) {
      const path = `${folder}/${file.replaceAll('\\', '/')}`;
      if (!path.endsWith('.ts') || OTHER_TEXTS.test(path)) continue;
      const unseen = folder === 'electron' ? UNSEEN_OF_DESKTOP : UNSEEN;
      visit(parseAst(readFileSync(join(ROOT, path), 'utf8'), { lang: 'ts' }), null, folder === 'server' ? null : unseen, texts);
    }
  return [...texts].filter((text) => /[A-Za-z]{3}/.test(text.replaceAll(/\{\d\}/g, '')));
}

/** Adds the texts of a node. `unseen` are the functions whose texts are left out; null leaves out all texts but messages. */
function visit(value: unknown, callee: string | null, unseen: ReadonlySet<string> | null, texts: Set<string>): void {
  if (!isNode(value)) return;
  const text = textOf(value);
  if (text !== null && unseen !== null && SENTENCE.test(text) && !SQL.test(text) && !unseen.has(callee ?? '')) texts.add(text);
  const isCall = value.type === 'CallExpression' || value.type === 'NewExpression';
  const name = isCall ? nameOf(value.callee) : value.type === 'ConditionalExpression' ? callee : null;
  if (isCall) for (const message of messagesOf(value, name)) texts.add(message);
  for (const each of Object.values(value).flat()) visit(each, name, unseen, texts);
}

/** Returns the messages of an error that is created here. */
function messagesOf(node: Node, name: string | null): string[] {
  const [first, second] = node.arguments as Node[];
  if (name === 'ServiceError') return branchesOf(second);
  if (name === 'notSent' || name === 'possiblySent') return branchesOf(first);
  return name === 'amountAboveLimit' ? branchesOf(first) : [];
}

function branchesOf(node: Node | undefined): string[] {
  if (node === undefined) return [];
  if (node.type === 'ConditionalExpression') return [...branchesOf(node.consequent as Node), ...branchesOf(node.alternate as Node)];
  return [textOf(node) ?? []].flat();
}

function textOf(node: Node): string | null {
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : null;
  if (node.type !== 'TemplateLiteral') return null;
  const quasis = node.quasis as { readonly value: { readonly cooked: string } }[];
  return quasis.map(({ value }, index) => (index === 0 ? value.cooked : `{${index}}${value.cooked}`)).join('');
}

function nameOf(callee: unknown): string | null {
  if (!isNode(callee)) return null;
  return callee.type === 'MemberExpression' ? nameOf(callee.property) : typeof callee.name === 'string' ? callee.name : null;
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value;
