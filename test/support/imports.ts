import { existsSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import manifest from '../../package.json' with { type: 'json' };
import { ROOT, type SourceFile } from './sources.ts';

const STATEMENT =
  /^(?:import|export)\s+(?:type\s+)?(?:\w+\s*,?\s*)?(?:\{(?<names>[^}]*)\}|(?<all>\*)(?:\s+as\s+\w+)?)?\s*from\s+'(?<from>[^']+)'/gm;
const DYNAMIC = /\bimport\('(?<from>[^']+)'\)/g;
const RE_EXPORT = /^export\s+(?:type\s+)?\{(?<names>[^}]*)\}\s+from\s+'[^']+';/gm;
/** Stands for every name of a module. */
const ALL = '*';

const namesOf = (list: string | undefined, side: 'first' | 'last') =>
  (list ?? '')
    .split(',')
    .map((name) => name.trim().replace(/^type\s+/, ''))
    .filter((name) => name !== '')
    .map((name) => (side === 'first' ? name.split(' as ')[0] : name.split(' as ').at(-1)) ?? name);

/** Returns the file that an import of the project names, from the project's folder; null for a package. */
function targetOf(importer: string, specifier: string): string | null {
  if (specifier.startsWith('.'))
    return normalize(join(dirname(importer), specifier))
      .split('\\')
      .join('/');
  for (const [pattern, path] of Object.entries(manifest.imports)) {
    if (pattern === specifier) return normalize(path);
    const [start = ''] = pattern.split('*');
    if (!pattern.endsWith('*') || !specifier.startsWith(start)) continue;
    const target = normalize(path.replace('*', specifier.slice(start.length)));
    if (existsSync(join(ROOT, target))) return target;
  }
  return null;
}

/** Returns "file: name" for each name that an index.ts re-exports and no other file imports. */
export function unusedReExports(files: readonly SourceFile[]): string[] {
  const imported = new Map<string, Set<string>>();
  const note = (importer: string, specifier: string | undefined, names: readonly string[]) => {
    const target = targetOf(importer, specifier ?? '');
    if (target === null) return;
    const known = imported.get(target) ?? new Set();
    imported.set(target, known);
    for (const name of names) known.add(name);
  };
  for (const { path, text } of files) {
    for (const { groups } of text.matchAll(STATEMENT)) note(path, groups?.from, groups?.all ? [ALL] : namesOf(groups?.names, 'first'));
    for (const { groups } of text.matchAll(DYNAMIC)) note(path, groups?.from, [ALL]);
  }
  return files.flatMap(({ path, text }) => {
    const known = imported.get(path);
    if (!path.endsWith('/index.ts') || known?.has(ALL)) return [];
    const exported = [...text.matchAll(RE_EXPORT)].flatMap(({ groups }) => namesOf(groups?.names, 'last'));
    return exported.filter((name) => !known?.has(name)).map((name) => `${path}: ${name}`);
  });
}

/**
 * Returns the paths of files that are loaded with a file, by its imports and theirs, without those that only `beyond` loads. An import of types loads
 * nothing.
 */
export function loadedWith(first: string, beyond: string, files: readonly SourceFile[]): ReadonlySet<string> {
  const texts = new Map(files.map(({ path, text }) => [path, text]));
  const loaded = new Set([first]);
  for (const path of loaded) {
    const imports = [...(texts.get(path) ?? '').matchAll(STATEMENT), ...(texts.get(path) ?? '').matchAll(DYNAMIC)];
    for (const { 0: statement, groups } of imports) {
      const target = /^\w+ type /.test(statement) ? null : targetOf(path, groups?.from ?? '');
      if (target !== null && target !== beyond && texts.has(target)) loaded.add(target);
    }
  }
  return loaded;
}

/** Names that are exported for a tool that reads the module: Stryker, Node's loader. */
const READ_BY_TOOLS = ['strykerPlugins', 'resolve', 'load'];

/**
 * Returns "file: name" for each exported value whose name no other file contains. Types may be exported to be nameable in the types of other
 * files, and statements to be found by the test that prepares all of them.
 */
export function unusedExports(files: readonly SourceFile[]): string[] {
  const filesWith = new Map<string, number>();
  for (const { text } of files) for (const word of new Set(text.match(/[\w$]+/g))) filesWith.set(word, (filesWith.get(word) ?? 0) + 1);
  return files.flatMap(({ path, text }) =>
    [
      ...text.matchAll(
        /^export (?:async )?(?:abstract )?(?:const|function\*?|class|enum) ([\w$]+)(?!: (?:GuardedUpdate|BulkStatement))\b/gm,
      ),
    ]
      .map(([, name = '']) => name)
      .filter((name) => filesWith.get(name) === 1 && !READ_BY_TOOLS.includes(name))
      .map((name) => `${path}: ${name}`),
  );
}

/** The head of a function without a return type. The types of a constructor (`create…`) and of a single return are those of their values. */
const UNTYPED_FUNCTION =
  /^export (?:async )?function\*? (?!create[A-Z])([\w$]+)(?:<[^\n]*>)?\((?:[^\n]*|\n(?: [^\n]*\n)+)\) \{\n(?! {2}return )/gm;

/** Returns "file: name" for each exported function without a return type, unless `ReturnType` names that type. */
export function untypedFunctions(files: readonly SourceFile[]): string[] {
  const named = new Set(files.flatMap(({ text }) => [...text.matchAll(/ReturnType<typeof (\w+)>/g)].map(([, name = '']) => name)));
  return files.flatMap(({ path, text }) =>
    [...text.matchAll(UNTYPED_FUNCTION)].flatMap(([, name = '']) => (named.has(name) ? [] : [`${path}: ${name}`])),
  );
}
