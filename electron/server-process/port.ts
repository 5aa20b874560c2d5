import { once } from 'node:events';
import { createServer } from 'node:net';

const ATTEMPTS_MAX = 20;
const ANY_PORT = 0;

/**
 * Returns the first free port on the loopback address from `first` on; 0, which means any port, if 20 in a row are taken. A stable port
 * matters because the page's local settings belong to its origin.
 */
export async function freePort(first: number): Promise<number> {
  for (let port = first; port < first + ATTEMPTS_MAX; port += 1) {
    if (await isFree(port)) return port;
  }
  return ANY_PORT;
}

async function isFree(port: number): Promise<boolean> {
  await using probe = createServer();
  try {
    await once(probe.listen(port, '127.0.0.1'), 'listening');
    return true;
  } catch {
    return false;
  }
}
