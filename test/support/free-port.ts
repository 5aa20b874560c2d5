import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ports that the system gives to outgoing connections and to servers that ask for any port. */
const PORTS = [10_000, 32_768] as const;

/** Returns a free port that no other program gets by chance before it is used, also if it is used again after a restart. */
export async function freePort(): Promise<number> {
  const port = randomInt(...PORTS);
  return (await isFree(port)) ? port : freePort();
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
