import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** Root folder of the project. */
export const ROOT = join(import.meta.dirname, '..');

const PROGRAMS = { vite: 'node_modules/vite/bin/vite.js', 'electron-vite': 'node_modules/electron-vite/bin/electron-vite.js' };

/**
 * Builds a bundle for production, whatever NODE_ENV is, in a process of its own, because the bundler keeps more than half a gigabyte of memory until its process
 * ends. Its output goes to standard error. @throws Error if the build fails.
 */
export async function bundle(program: keyof typeof PROGRAMS, config: string, ...flags: string[]): Promise<void> {
  const args = [join(ROOT, PROGRAMS[program]), 'build', '--config', join(ROOT, config), '--logLevel', 'warn', ...flags];
  // With another NODE_ENV, packages would be bundled in their development version.
  const env = { ...process.env, NODE_ENV: 'production' };
  const child = spawn(process.execPath, args, { cwd: ROOT, env, stdio: ['ignore', process.stderr, process.stderr] });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`The build of ${config} failed.`);
}
