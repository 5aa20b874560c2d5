import { join } from 'node:path';

/** Has every process of a test run keep what Node compiled where the next one finds it: a server begins in two thirds of the time. Called before the first is started. */
export function keepCompiled(): void {
  process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, '../../node_modules/.cache/node-compile');
}
