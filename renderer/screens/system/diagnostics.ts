import { api, take, takeData } from '#renderer/base/client';
import type { Diagnostics, SaveOutcome } from '#renderer/desktop/bridge';
import { saveAs } from '#renderer/session/download';

/** Collects what a browser can read: the server's health and status. */
export async function createInBrowser(): Promise<Diagnostics> {
  const madeAt = new Date().toISOString();
  const [health, status] = await Promise.all([take(api.GET('/health')), takeData(api.GET('/api/v1/system/status'))]);
  const content = { madeAt, page: location.origin, browser: navigator.userAgent, health, status };
  const name = `paydesk-diagnostics-${madeAt.slice(0, 16).replace(/[-:]/g, '').replace('T', '-')}.json`;
  return { name, text: `${JSON.stringify(content, null, 2)}\n` };
}

/** Saves the file with the browser's download. */
export function saveInBrowser({ name, text }: Diagnostics): SaveOutcome {
  saveAs(new Blob([text], { type: 'application/json' }), name);
  return { saved: true };
}
