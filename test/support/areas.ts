import { dirname, join } from 'node:path';
import type { SourceFile } from './sources.ts';

/** The folders of each part from the ground up. A folder imports only folders before it. */
export const AREAS = {
  core: ['kernel', 'database', 'platform', 'records', 'processing', 'access', 'sales', 'billing', 'books', 'operation'],
  server: ['http', 'schemas', 'openapi', 'hooks', 'pages', 'operation', 'routes', 'demo', 'app', 'run'],
  renderer: ['base', 'kit', 'session', 'desktop', 'shared', 'screens', 'shell'],
} as const;

const IMPORT = /\bfrom\s+'([^']+)'|\bimport\s*\(?\s*'([^']+)'/g;

/** Returns the files and folders that a file imports by a relative path or as `#folder/…`, from the project's folder. */
export const importsOf = ({ path, text }: SourceFile): string[] =>
  [...text.matchAll(IMPORT)]
    .map((match) => match[1] ?? match[2] ?? '')
    .flatMap((specifier) => {
      if (specifier.startsWith('.')) return [join(dirname(path), specifier).replaceAll('\\', '/')];
      return specifier.startsWith('#') ? [specifier.slice(1)] : [];
    });

/** Returns "file -> import" for each import of a folder above the file's own one, or of a folder that the list doesn't contain. */
export function arrowsUp(part: string, areas: readonly string[], files: readonly SourceFile[]): string[] {
  /** Files of the part's own folder compose the areas, so they are above all of them. */
  const floorOf = (path: string) => {
    const [, area = '', inside] = path.split('/');
    if (areas.includes(area)) return areas.indexOf(area);
    return inside === undefined && area.includes('.') ? areas.length : -1;
  };
  return files.flatMap((file) => {
    const floor = floorOf(file.path);
    const targets = importsOf(file).filter((target) => target.startsWith(`${part}/`));
    const isUp = (target: string) => floorOf(target) > floor || floorOf(target) === -1;
    return floor === -1 ? [`${file.path} is in no area`] : targets.filter(isUp).map((target) => `${file.path} -> ${target}`);
  });
}

/** A file or folder directly within a capability. */
const roomOf = (capability: string, path: string) => path.slice(capability.length + 1).split('/')[0] ?? '';

/** Returns the rings of a capability: each is the sorted list of the files and folders directly within it that import each other in a circle. */
export function ringsOf(capability: string, files: readonly SourceFile[]): string[][] {
  const imports = new Map<string, Set<string>>();
  for (const file of files.filter(({ path }) => path.startsWith(`${capability}/`))) {
    const room = roomOf(capability, file.path);
    const known = imports.get(room) ?? new Set();
    imports.set(room, known);
    for (const target of importsOf(file)) if (target.startsWith(`${capability}/`)) known.add(roomOf(capability, target));
  }
  const reachedFrom = (start: string) => {
    const reached = new Set(imports.get(start));
    for (const room of reached) for (const next of imports.get(room) ?? []) reached.add(next);
    return reached;
  };
  const reach = new Map([...imports.keys()].map((room) => [room, reachedFrom(room)]));
  const rings = [...imports.keys()].sort().flatMap((room) => {
    const ring = [...imports.keys()].filter((other) => other !== room && reach.get(room)?.has(other) && reach.get(other)?.has(room));
    return ring.length > 0 && ring.every((other) => room < other) ? [[room, ...ring.sort()]] : [];
  });
  return rings;
}
