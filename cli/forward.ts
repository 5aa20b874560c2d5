import { spawn } from 'node:child_process';
import { bodyOf, type HistoryEvent } from './history.ts';

const TIMEOUT_MS = 5_000;

/** Result of passing an event on. */
export interface Handled {
  readonly isOk: boolean;
  readonly text: string;
}

/** Sends an event to an address as a webhook delivery: the same body, and headers signed with the secret. Only a response with status 200 counts. */
export async function forwardTo(url: string, event: HistoryEvent, secret: string): Promise<Handled> {
  const { signedHeaders } = await import('#core/records/webhooks');
  const body = bodyOf(event);
  const headers = signedHeaders({
    eventId: event.id,
    eventType: event.type,
    deliveryId: `dlv_${event.id.slice('evt_'.length)}`,
    body,
    secrets: [secret],
    tenantTime: event.createdAt,
    nowMs: Date.now(),
  });
  const startedAt = performance.now();
  try {
    const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) });
    await response.body?.cancel();
    return { isOk: response.status === 200, text: `${response.status} (${Math.round(performance.now() - startedAt)} ms)` };
  } catch (error) {
    const { name, cause } = error as Error & { cause?: { code?: string } };
    return { isOk: false, text: name === 'TimeoutError' ? `no response in ${TIMEOUT_MS / 1_000} s` : (cause?.code ?? 'no connection') };
  }
}

/** Runs a shell command with the body of an event as its input. Only exit code 0 counts. */
export function runWith(shellCommand: string, event: HistoryEvent): Promise<Handled> {
  return new Promise((resolve) => {
    const child = spawn(shellCommand, {
      shell: true,
      stdio: ['pipe', 'inherit', 'inherit'],
      env: { ...process.env, PAYDESK_EVENT_ID: event.id, PAYDESK_EVENT_TYPE: event.type },
    });
    // A command that does not read its input closes it.
    child.stdin.on('error', () => {});
    child.stdin.end(bodyOf(event));
    child.once('error', (error) => resolve({ isOk: false, text: error.message }));
    child.once('close', (code) => resolve({ isOk: code === 0, text: `exit code ${code}` }));
  });
}
