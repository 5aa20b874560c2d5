import { join } from 'node:path';

/**
 * Makes every process of a test run share Node's compile cache: a server starts in two thirds of the time. Called before the first one
 * starts.
 */
export function keepCompiled(): void {
  process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, '../../node_modules/.cache/node-compile');
}
