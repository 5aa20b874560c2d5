import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
/** Folders whose code is shipped, in the desktop application or in the npm package. */
const SHIPPED = ['core', 'server', 'shared', 'migrations', 'renderer', 'electron', 'cli', 'mcp', 'simulators'];
const IMPORT = /\b(?:from|import)\s*\(?\s*'((?:@[^/']+\/)?[^./#'][^/']*)/g;
/** Electron packs its licenses and those of Chromium as files of its own. TypeScript is a peer of packages, and only builds. */
const OMITTED = new Set(['electron', 'typescript']);
/** Licenses that packages state in a file, but not in their description. */
const STATED_IN_FILE: Readonly<Record<string, string>> = { 'png-js': 'MIT' };

interface LockedPackage {
  readonly version?: string;
  readonly license?: string;
  readonly link?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

export interface ShippedPackage {
  readonly name: string;
  readonly version: string;
  /** SPDX expression; an empty text if the package states none. */
  readonly license: string;
  /** Folder in the repository. */
  readonly path: string;
}

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

/**
 * Returns the packages whose code can be in the desktop application or in the npm package: the dependencies of the service, what the sources import, and the
 * dependencies of both. Packages for other systems are included.
 */
export function shippedPackages(): ShippedPackage[] {
  const { dependencies } = JSON.parse(read('package.json')) as { dependencies: Readonly<Record<string, string>> };
  return packagesWithDependencies([...Object.keys(dependencies), ...importedPackages()]);
}

/** Returns packages of the repository with everything that they depend on, each version once, sorted by name. */
export function packagesWithDependencies(names: readonly string[]): ShippedPackage[] {
  const { packages } = JSON.parse(read('package-lock.json')) as { packages: Readonly<Record<string, LockedPackage>> };
  const found = new Map<string, ShippedPackage>();
  const add = (name: string, from: string): void => {
    const path = pathOf(packages, name, from);
    const locked = path === null ? undefined : packages[path];
    if (path === null || locked === undefined || locked.link || found.has(path) || OMITTED.has(name)) return;
    found.set(path, { name, version: locked.version ?? '', license: locked.license ?? STATED_IN_FILE[name] ?? '', path });
    const { dependencies, optionalDependencies, peerDependencies } = locked;
    for (const each of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })) add(each, path);
  };
  for (const name of names) add(name, '');
  return [...found.values()].toSorted((one, other) => one.name.localeCompare(other.name, 'en') || one.path.localeCompare(other.path, 'en'));
}

/** Returns the folder of a package as Node finds it from another package; null if it is not installed. */
function pathOf(packages: Readonly<Record<string, LockedPackage>>, name: string, from: string): string | null {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const path = `${folder}${folder === '' ? '' : '/'}node_modules/${name}`;
    if (path in packages) return path;
    if (folder === '') return null;
  }
}

function importedPackages(): string[] {
  const files = SHIPPED.flatMap((folder) => globSync(`${folder}/**/*.{ts,tsx}`, { cwd: ROOT }));
  return [...new Set(files.flatMap((file) => [...read(file).matchAll(IMPORT)].map(([, name]) => name ?? '')))];
}
