import { parseAst } from 'vite';
import { filesOf, type SourceFile } from './sources.ts';

/** The actions that the sources write to the audit log. */
interface AuditActions {
  /** Actions that the sources state: `session.started`, or `paused` as an argument of the function that writes `installment_plan.${action}`. */
  readonly stated: readonly string[];
  /** Actions with a part that the sources don't state, each as "capability: expression", such as "core/sales/shifts: shift.<kind>". */
  readonly composed: readonly string[];
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

/** A file with every node of its syntax tree. */
interface Parsed {
  readonly text: string;
  readonly nodes: readonly Node[];
}

/** Positions of the parameter `action` by the name of the function. Functions of the same name may have it at different ones. */
type Positions = ReadonlyMap<string, ReadonlySet<number>>;

const FOLDERS = ['core', 'server', 'cli', 'electron', 'mcp'];
/** The capability that stores and lists the entries of all others. */
const STORE = 'core/records/audit';

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
const isAction = (text: string) => /^[a-z_]+\.[a-z_]+$/.test(text);
// An entry of a function that also emits an event has the type of the event as its action.
const isComposed = (text: string) => /^[a-z_]+\.<|^<.*>\.[a-z_]+$|^<type>$/.test(text);
const nameOf = (node: unknown) => (isNode(node) && node.type === 'Identifier' ? String(node.name) : undefined);

/** Returns every action that the service writes to the audit log. The sources are read; nothing runs. */
export function auditActions(): AuditActions {
  const files = FOLDERS.flatMap((folder) => filesOf(folder, ['.ts']));
  const found = [...Map.groupBy(files, ({ path }) => capabilityOf(path))]
    .filter(([capability]) => capability !== STORE)
    .map(([capability, itsFiles]) => actionsOf(capability, itsFiles));
  return {
    stated: [...new Set(found.flatMap(({ stated }) => stated))].toSorted(),
    composed: [...new Set(found.flatMap(({ composed }) => composed))].toSorted(),
  };
}

/** Returns the folder within which functions are known by their names: `core/access/identity`, `server`. */
const capabilityOf = (path: string) => /^core\/(?:(?:kernel|database)|[^/]+\/[^/]+)(?=\/)/.exec(path)?.[0] ?? path.split('/')[0] ?? path;

/** Returns the actions of the files of a capability. */
export function actionsOf(capability: string, files: readonly SourceFile[]): AuditActions {
  const namesAction = ({ text }: SourceFile) => /\baction\b/.test(text);
  const parsed = files.filter(namesAction).map(parse);
  const positions = positionsIn(parsed);
  const calls = new RegExp(`\\b(?:${[...positions.keys()].join('|')})\\(`);
  if (positions.size > 0) parsed.push(...files.filter((file) => !namesAction(file) && calls.test(file.text)).map(parse));
  const family = files.map(({ text }) => /action: `([a-z_]+\.)\$\{action\}`/.exec(text)?.[1]).find((prefix) => prefix !== undefined);
  const values = parsed.flatMap((file) => expressionsIn(file, positions).flatMap((expression) => valuesOf(expression, file)));
  const actions = values.map((value) => (value.includes('.') && !value.startsWith('<') ? value : (family ?? '') + value));
  return {
    stated: actions.filter(isAction),
    composed: actions.filter(isComposed).map((action) => `${capability}: ${action}`),
  };
}

const parse = ({ text }: SourceFile): Parsed => ({ text, nodes: below(parseAst(text, { lang: 'ts' })) });

function below(value: unknown): Node[] {
  if (Array.isArray(value)) return value.flatMap(below);
  return isNode(value) ? [value, ...Object.values(value).flatMap(below)] : [];
}

function positionsIn(files: readonly Parsed[]): Positions {
  const positions = new Map<string, Set<number>>();
  for (const node of files.flatMap(({ nodes }) => nodes.filter(({ type }) => type === 'FunctionDeclaration'))) {
    const index = (node.params as Node[]).findIndex((parameter) => nameOf(parameter) === 'action');
    const name = nameOf(node.id) ?? '';
    if (index !== -1) positions.set(name, (positions.get(name) ?? new Set()).add(index));
  }
  return positions;
}

/** Returns the expressions that become actions: the property `action` of an object, and arguments of functions with such a parameter. */
function expressionsIn({ nodes }: Parsed, positions: Positions): Node[] {
  return nodes.flatMap((node) => {
    if (node.type === 'ObjectExpression') {
      const properties = (node.properties as Node[]).filter(({ type }) => type === 'Property');
      return properties.filter(({ key }) => nameOf(key) === 'action').map(({ value }) => value as Node);
    }
    if (node.type !== 'CallExpression') return [];
    const callee = node.callee as Node;
    const indexes = positions.get(nameOf(callee.type === 'MemberExpression' ? callee.property : callee) ?? '');
    return (node.arguments as Node[]).filter((_, index) => indexes?.has(index));
  });
}

/** Returns the texts that an expression may have. A part that the file does not state is `<expression>`. */
function valuesOf(node: Node, file: Parsed): string[] {
  const again = (next: unknown) => valuesOf(next as Node, file);
  const unknown = () => [`<${file.text.slice(node.start, node.end)}>`];
  switch (node.type) {
    case 'Literal':
      return typeof node.value === 'string' ? [node.value] : [];
    case 'ConditionalExpression':
      return [node.consequent, node.alternate].flatMap(again);
    case 'TSAsExpression':
      return again(node.expression);
    case 'ObjectExpression':
      return (node.properties as Node[]).flatMap(({ value }) => (isNode(value) ? again(value) : []));
    case 'TemplateLiteral': {
      const [first = '', last = ''] = (node.quasis as { value: { raw: string } }[]).map(({ value }) => value.raw);
      return (node.expressions as Node[]).flatMap(again).map((middle) => first + middle + last);
    }
    case 'MemberExpression': {
      const table = isNode(node.object) && node.object.type === 'Identifier' ? constantFor(node.object, file) : node.object;
      return node.computed && isNode(table) && table.type === 'ObjectExpression' ? again(table) : unknown();
    }
    case 'Identifier': {
      const constant = constantFor(node, file);
      if (constant !== undefined) return again(constant);
      // The callers of the function state it.
      return nameOf(node) === 'action' ? [] : unknown();
    }
    default:
      return unknown();
  }
}

/** Returns the value of the constant that a name stands for; undefined for a parameter and an imported name. */
function constantFor(reference: Node, { nodes }: Parsed): Node | undefined {
  const name = nameOf(reference);
  const isAround = ({ start, end }: Node) => start <= reference.start && reference.end <= end;
  const isParameter = nodes.some(
    (node) => Array.isArray(node.params) && isAround(node) && below(node.params).some((part) => nameOf(part) === name),
  );
  if (isParameter) return undefined;
  const declaration = nodes.findLast(
    (node) => node.type === 'VariableDeclarator' && nameOf(node.id) === name && node.start < reference.start,
  );
  return isNode(declaration?.init) ? declaration.init : undefined;
}
