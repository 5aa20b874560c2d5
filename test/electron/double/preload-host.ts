import { readFileSync } from 'node:fs';
import type { WebPreferences } from 'electron';

/** Names under which the page and the double know each other until the preload script has run. */
export const CALL = '__paydeskDoubleCall';
export const DELIVER = '__paydeskDoubleDeliver';

/** What a preload script's call comes to: Chromium's bindings carry values, not errors. */
export type CallAnswer = { value: unknown } | { refusal: string };

/**
 * The script that runs before any of a page's own: gives the built preload script what a sandboxed one has in Electron
 * (require('electron') alone, a process of arguments) and leaves on the page what it exposes, nothing else.
 */
export function preloadHost(preferences: WebPreferences): string {
  if (preferences.preload === undefined) return '';
  if (!preferences.sandbox || !preferences.contextIsolation) throw new Error('the double runs sandboxed, isolated preload scripts only');
  const source = readFileSync(preferences.preload, 'utf8');
  return `(${host.toString()})(function (require, module, exports, process) {\n${source}\n}, ${JSON.stringify({
    argv: ['electron', ...(preferences.additionalArguments ?? [])],
    call: CALL,
    deliver: DELIVER,
  })});`;
}

/** Runs in the page. */
function host(
  preload: (require: unknown, module: unknown, exports: unknown, process: unknown) => void,
  names: { argv: string[]; call: string; deliver: string },
): void {
  const page = globalThis as unknown as { [name: string]: unknown; top: unknown };
  const call = page[names.call] as (channel: string, args: unknown[]) => Promise<{ value: unknown } | { refusal: string }>;
  delete page[names.call];
  if (page.top !== page) return;
  const listeners: { channel: string; listener: (event: object, ...args: unknown[]) => void }[] = [];
  const deliver = (channel: string, args: unknown[]) => {
    for (const known of listeners) if (known.channel === channel) known.listener({ sender: 'kept from the page' }, ...args);
  };
  Object.defineProperty(page, names.deliver, { value: deliver });
  const ipcRenderer = {
    on: (channel: string, listener: (event: object, ...args: unknown[]) => void) => void listeners.push({ channel, listener }),
    invoke: async (channel: string, ...args: unknown[]) => {
      const answer = await call(channel, structuredClone(args));
      if ('refusal' in answer) throw new Error(`Error invoking remote method '${channel}': ${answer.refusal}`);
      return answer.value;
    },
  };
  const contextBridge = {
    exposeInMainWorld: (name: string, api: object) => Object.defineProperty(page, name, { value: Object.freeze(api), enumerable: true }),
  };
  const require = (name: string) => {
    if (name !== 'electron') throw new Error(`module not found: ${name}`);
    return { ipcRenderer, contextBridge };
  };
  const module = { exports: {} };
  preload(require, module, module.exports, { argv: names.argv, type: 'renderer', sandboxed: true });
}
