import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

/** The project's folder. */
export const ROOT = join(import.meta.dirname, '../..');

/** Folders that tools generate. */
const NOT_WRITTEN_BY_HAND = new Set([
  'node_modules',
  '.git',
  'out',
  'dist',
  'generated',
  'test-results',
  'playwright-report',
  'bench-results',
  '.stryker-tmp',
  'mutation-report',
]);

/** A text file of the project. */
export interface SourceFile {
  /** From the project's folder, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

/** Returns every file below a folder of the project with one of the given endings; without a folder, of the whole project. */
export function filesOf(folder: string, endings: string[]): SourceFile[] {
  const found: SourceFile[] = [];
  const walk = (directory: string) => {
    for (const entry of readdirSync(directory, { withFileTypes: true })) {
      const path = join(directory, entry.name);
      if (entry.isDirectory() && !NOT_WRITTEN_BY_HAND.has(entry.name)) walk(path);
      else if (entry.isFile() && endings.some((ending) => entry.name.endsWith(ending))) {
        found.push({ path: relative(ROOT, path).split(sep).join('/'), text: readFileSync(path, 'utf8') });
      }
    }
  };
  walk(join(ROOT, folder));
  return found;
}
