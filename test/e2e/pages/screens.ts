import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from '../../../scripts/bundle.ts';

const read = (path: string) => readFile(join(ROOT, 'renderer', path), 'utf8');

/** Returns the address of every screen and of every page of Settings, as the renderer names them. */
export async function addressesOfScreens(): Promise<string[]> {
  const [routes, settings] = await Promise.all([read('routes.tsx'), read('shared/settings-pages/settings-pages.ts')]);
  const screens = [...routes.matchAll(/path: '([a-z][^']*)'/g)].map(([, path]) => path as string);
  const pages = [...settings.matchAll(/\btab\('([\w-]+)'/g)].map(([, name]) => `settings/${name}`);
  return [...screens.map((path) => path.replaceAll(/\/:\w+\?/g, '')).filter((path) => !path.includes(':')), ...pages];
}
