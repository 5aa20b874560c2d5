import { existsSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');

/** Builds the screens if they are older than their sources. The package contains built screens and no sources. */
export async function preparePages(): Promise<void> {
  if (!existsSync(join(ROOT, 'renderer'))) return;
  const { buildPagesWhenStale } = await import('../scripts/build-when-stale.ts');
  await buildPagesWhenStale();
}
