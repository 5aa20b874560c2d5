// `npm run architecture` draws the diagrams of ARCHITECTURE.md from the imports of the code. A test checks that the file is up to date.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AREAS } from '../test/support/areas.ts';
import { filesOf, ROOT, type SourceFile } from '../test/support/sources.ts';

const DOCUMENT = join(ROOT, 'ARCHITECTURE.md');
const IMPORT = /\bfrom\s+'([^']+)'|\bimport\('([^']+)'\)/g;
/** Every capability imports these areas, so they and arrows to them are left out. */
const GROUND = ['kernel', 'database', 'platform'];

type Graph = ReadonlyMap<string, ReadonlySet<string>>;

/** Returns the document with new diagrams. Each diagram is between a comment with its name and the comment `/picture`. */
export function drawn(document: string): string {
  const pictures: Readonly<Record<string, () => string>> = { parts: drawParts, capabilities: drawCapabilities, reads: tableOfReads };
  return document.replace(/(<!-- picture: (\w+) -->\n)[\s\S]*?(<!-- \/picture -->)/g, (_all, begin: string, name: string, end: string) => {
    const draw = pictures[name];
    if (draw === undefined) throw new Error(`There is no diagram named ${name}.`);
    return `${begin}\n${draw()}\n\n${end}`;
  });
}

const specifiersIn = ({ text }: SourceFile) => [...text.matchAll(IMPORT)].map((match) => match[1] ?? match[2] ?? '');
const mermaid = (edges: readonly (readonly [string, string])[], groups: readonly string[] = []) =>
  ['```mermaid', 'graph TD', ...groups, ...edges.map(([from, to]) => `  ${from} --> ${to}`), '```'].join('\n');

/** Returns the folders that the files of each folder import. `targetOf` returns the folder of a specifier, or null. */
function graphOf(
  files: readonly SourceFile[],
  folderOf: (path: string) => string | null,
  targetOf: (specifier: string) => string | null,
): Graph {
  const graph = new Map<string, Set<string>>();
  for (const file of files) {
    const folder = folderOf(file.path);
    if (folder === null) continue;
    const targets = graph.get(folder) ?? new Set<string>();
    graph.set(folder, targets);
    for (const target of specifiersIn(file).map(targetOf)) if (target !== null && target !== folder) targets.add(target);
  }
  return graph;
}

/** Returns the edges of a graph without those that follow from other edges (transitive reduction). */
function reduced(graph: Graph): (readonly [string, string])[] {
  const reaches = (from: string, to: string): boolean => [...(graph.get(from) ?? [])].some((next) => next === to || reaches(next, to));
  return [...graph.keys()].toSorted().flatMap((from) => {
    const targets = [...(graph.get(from) ?? [])].toSorted();
    return targets.filter((to) => !targets.some((other) => other !== to && reaches(other, to))).map((to) => [from, to] as const);
  });
}

const PARTS = ['electron', 'renderer', 'server', 'core', 'migrations', 'shared'];

function drawParts(): string {
  const targetOf = (specifier: string) => {
    if (specifier === '#bridge') return 'electron';
    return PARTS.find((part) => specifier === `#${part}` || specifier.startsWith(`#${part}/`)) ?? null;
  };
  const files = PARTS.flatMap((part) => filesOf(part, ['.ts', '.tsx']));
  const graph = graphOf(files, (path) => path.split('/')[0] ?? null, targetOf);
  return mermaid([...graph].flatMap(([from, targets]) => [...targets].toSorted().map((to) => [from, to] as const)));
}

/** Returns the area and the capability of a file of `core`, or null for the ground that every capability stands on. */
function placeIn(path: string): { area: string; capability: string } | null {
  const [, area = '', capability = ''] = /^core\/(\w+)\/([\w-]+)/.exec(path) ?? [];
  return capability === '' || GROUND.includes(area) ? null : { area, capability };
}
const capabilityOf = (path: string) => placeIn(path)?.capability ?? null;

function drawCapabilities(): string {
  const files = filesOf('core', ['.ts']);
  const graph = graphOf(files, capabilityOf, (specifier) => capabilityOf(specifier.replace(/^#/, '')));
  const places = files.flatMap(({ path }) => placeIn(path) ?? []);
  const areas = Map.groupBy(places, ({ area }) => area);
  const drawnAreas = AREAS.core.flatMap((area) => {
    const names = new Set(areas.get(area)?.map(({ capability }) => capability));
    return names.size === 0 ? [] : [`  subgraph ${area}`, ...[...names].toSorted().map((name) => `    ${name}`), '  end'];
  });
  return mermaid(reduced(graph), drawnAreas);
}

/** Returns the table of read models and their readers. */
function tableOfReads(): string {
  const rows = filesOf('core', ['.ts']).flatMap((file) => {
    const reader = capabilityOf(file.path);
    return [...file.text.matchAll(/import \{([^}]*)\} from '#core\/([\w/-]+)'/g)].flatMap(([, names = '', owner = '']) =>
      names
        .split(',')
        .map((name) => name.trim())
        .filter((name) => name.startsWith('READABLE_'))
        .map((name) => ({
          reader,
          owner: owner.replace(/^.*\//, ''),
          table: name.slice('READABLE_'.length).toLowerCase().replaceAll('_', ' '),
        })),
    );
  });
  const byReader = Map.groupBy(rows, ({ reader }) => reader);
  const lines = [...byReader].toSorted().map(([reader, own]) => {
    const tables = [...new Set(own.map(({ owner, table }) => `${table} (${owner})`))].toSorted();
    return [reader ?? '', tables.join(', ')];
  });
  return table([['Capability', 'Reads columns of'], ...lines]);
}

/** Returns a table with columns of even width, as the formatter writes it. The first row is the head. */
function table([head = [], ...rows]: readonly (readonly string[])[]): string {
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)));
  const lineOf = (cells: readonly string[]) => `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  return [lineOf(head), lineOf(widths.map((width) => '-'.repeat(width))), ...rows.map(lineOf)].join('\n');
}

if (import.meta.main) writeFileSync(DOCUMENT, drawn(readFileSync(DOCUMENT, 'utf8')));
