import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { type Delivery, inDoubt, notSent, SENT } from './delivery.ts';

const TIMEOUT_MS = 15_000;
const WORDS_MAX = 200;
/** Stricter than CUPS: no real queue has other names, and a leading dash would be an option. */
const QUEUE = /^[A-Za-z0-9_][A-Za-z0-9_.@+-]{0,126}$/;
const SHARE = /^\\\\([A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?)\\([^\\/:*?"<>|\p{Cc}]{1,80})$/u;

/** Returns true if a text can be the name of a CUPS queue. */
export function isQueue(text: string): boolean {
  return QUEUE.test(text);
}

/** The host of a share, as in `\\FRONT-PC\Receipts`; undefined where it is none. No other path can be written to. */
export function shareHost(text: string): string | undefined {
  const [, host, name = ''] = SHARE.exec(text) ?? [];
  return name.trim() === name && !/^\.+$/.test(name) ? host : undefined;
}

/** Hands bytes to a CUPS queue as they are. No shell reads the name. */
export async function sendToQueue(queue: string, bytes: Buffer, timeoutMs = TIMEOUT_MS): Promise<Delivery> {
  if (process.platform === 'win32') return notSent('Windows has no such queues: choose the shared printer instead.');
  const child = spawn('lp', ['-d', queue, '-o', 'raw', '-t', 'Paydesk'], { stdio: ['pipe', 'ignore', 'pipe'], timeout: timeoutMs });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(0, WORDS_MAX);
  });
  // A queue that is refused closes its end before it has read.
  child.stdin.on('error', () => {});
  child.stdin.end(bytes);
  try {
    const [code] = (await once(child, 'close')) as [number | null];
    if (code === 0) return SENT;
    if (code === null) return inDoubt('The print system of this computer does not answer.');
    const words = said.replace(/\s+/g, ' ').trim();
    return notSent(`The print system did not take it for ${queue}${words === '' ? '.' : `: ${words}`}`);
  } catch {
    return notSent('This computer has no CUPS printing: the lp command is missing.');
  }
}

/** Writes bytes into a printer that Windows shares. */
export async function sendToShare(share: string, bytes: Buffer): Promise<Delivery> {
  if (process.platform !== 'win32')
    return notSent('A shared printer of Windows is reached from Windows only. Choose the network or a queue.');
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  try {
    await writeFile(share, bytes, { signal });
    return SENT;
  } catch (cause) {
    if (signal.aborted) return inDoubt(`${share} does not answer.`);
    const code = (cause as NodeJS.ErrnoException).code ?? '';
    return notSent(code === 'ENOENT' ? `There is no shared printer ${share}.` : `${share} did not take it (${code || 'unknown error'}).`);
  }
}
