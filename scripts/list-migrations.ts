import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = join(import.meta.dirname, '../migrations');
const MIGRATION = /^(\d{13})-([a-z-]+)\.ts$/;

/** Returns the text of `migrations/index.ts`: every file of the folder, in the order of its timestamp. */
export function migrationList(): string {
  const migrations = readdirSync(FOLDER)
    .toSorted()
    .flatMap((file) => {
      const [, timestamp, words] = MIGRATION.exec(file) ?? [];
      if (timestamp === undefined || words === undefined) return [];
      const name = words.replaceAll(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase());
      return [{ file, name: `${name}${timestamp}` }];
    });
  const imports = migrations.map(({ file, name }) => `import { ${name} } from './${file}';`);
  const list = migrations.map(({ name }) => `  ${name},`);
  return [
    ...imports,
    '',
    '/** Every change of the schema, in order. Written by `npm run migrations`. */',
    'export const MIGRATIONS = [',
    ...list,
    '];',
    '',
  ].join('\n');
}

if (import.meta.main) writeFileSync(join(FOLDER, 'index.ts'), migrationList());
