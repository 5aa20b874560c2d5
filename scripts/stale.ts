import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');

/** Returns true if a product is missing or older than one of its sources, which are files and folders of the project. */
export async function isStale(product: string, sources: readonly string[]): Promise<boolean> {
  const built = await changeMs(product);
  if (built === null) return true;
  const changes = await Promise.all(sources.map((source) => newestChangeMs(join(ROOT, source))));
  return Math.max(...changes) > built;
}

async function changeMs(path: string): Promise<number | null> {
  try {
    return (await stat(path)).mtimeMs;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return null;
  }
}

/** Returns the time of the newest change in a file or a folder's tree; a removed file counts through its folder's own time. */
async function newestChangeMs(path: string): Promise<number> {
  const status = await stat(path).catch(() => null);
  if (status === null) return 0;
  if (!status.isDirectory()) return status.mtimeMs;
  const inside = await Promise.all((await readdir(path)).map((name) => newestChangeMs(join(path, name))));
  return Math.max(status.mtimeMs, ...inside);
}
