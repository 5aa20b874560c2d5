import { once } from 'node:events';
import { createServer } from 'node:net';

const ATTEMPTS_MAX = 20;
const ANY = 0;

/** The first free port on this machine's own address from `first` on; 0, which means any, when so many in a row are taken. Keeping to one keeps the page's local settings. */
export async function freePort(first: number): Promise<number> {
  for (let port = first; port < first + ATTEMPTS_MAX; port += 1) {
    if (await isFree(port)) return port;
  }
  return ANY;
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
