import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { notSent, possiblySent, SENT, type SendResult } from './send-result.ts';

const TIMEOUT_MS = 15_000;
const ERROR_LENGTH_MAX = 200;
/** Stricter than the rule of CUPS, which real queues do not use up; a leading dash would be read as an option. */
const QUEUE_NAME = /^[A-Za-z0-9_][A-Za-z0-9_.@+-]{0,126}$/;
const SHARE = /^\\\\([A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?)\\([^\\/:*?"<>|\p{Cc}]{1,80})$/u;

/** Returns true if a text can be the name of a CUPS queue. */
export function isQueueName(text: string): boolean {
  return QUEUE_NAME.test(text);
}

/** Returns the host of a share such as `\\FRONT-PC\Receipts`; undefined for any other text, so that nothing else can be written to. */
export function hostOfShare(text: string): string | undefined {
  const [, host, name = ''] = SHARE.exec(text) ?? [];
  return name.trim() === name && !/^\.+$/.test(name) ? host : undefined;
}

/** Sends bytes unchanged to a CUPS queue. The name is passed as an argument, without a shell. */
export async function sendToQueue(queue: string, bytes: Buffer, timeoutMs = TIMEOUT_MS): Promise<SendResult> {
  if (process.platform === 'win32') return notSent('Windows has no CUPS queues. Choose a shared printer instead.');
  const child = spawn('lp', ['-d', queue, '-o', 'raw', '-t', 'Paydesk'], { stdio: ['pipe', 'ignore', 'pipe'], timeout: timeoutMs });
  let errorOutput = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errorOutput = (errorOutput + text).slice(0, ERROR_LENGTH_MAX);
  });
  // For an unknown queue, lp ends before it has read its input.
  child.stdin.on('error', () => {});
  child.stdin.end(bytes);
  try {
    const [code] = (await once(child, 'close')) as [number | null];
    if (code === 0) return SENT;
    if (code === null) return possiblySent('The print system of this computer does not answer.');
    const reason = errorOutput.replace(/\s+/g, ' ').trim();
    if (reason === '') return notSent(`The print system refused the job for ${queue}.`);
    return notSent(`The print system refused the job for ${queue}: ${reason}`);
  } catch {
    return notSent('This computer has no CUPS printing: the lp command is missing.');
  }
}

/** Writes bytes to a printer that Windows shares. */
export async function sendToShare(share: string, bytes: Buffer): Promise<SendResult> {
  if (process.platform !== 'win32')
    return notSent('A shared Windows printer can be used from Windows only. Choose a network printer or a queue.');
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  try {
    await writeFile(share, bytes, { signal });
    return SENT;
  } catch (cause) {
    if (signal.aborted) return possiblySent(`${share} does not answer.`);
    const code = (cause as NodeJS.ErrnoException).code ?? '';
    return notSent(code === 'ENOENT' ? `There is no shared printer ${share}.` : `${share} refused the job (${code || 'unknown error'}).`);
  }
}
