import { readFileSync } from 'node:fs';
import type { WebPreferences } from 'electron';

/** Names of the page's globals with which the page and the double exchange calls and messages. */
export const CALL = '__paydeskDoubleCall';
export const DELIVER = '__paydeskDoubleDeliver';

/** Result of a call of the preload script. Chromium's bindings transfer values only, so an error is a text. */
export type CallResult = { value: unknown } | { refusal: string };

/**
 * Returns the script that runs before the scripts of a page. It gives the built preload script what a sandboxed one has in Electron
 * (`require('electron')` and the arguments of the process), and leaves only the exposed API on the page.
 */
export function preloadHost(preferences: WebPreferences): string {
  if (preferences.preload === undefined) return '';
  if (!preferences.sandbox || !preferences.contextIsolation)
    throw new Error('The Electron double runs only sandboxed, isolated preload scripts.');
  const source = readFileSync(preferences.preload, 'utf8');
  return `(${runPreloadInPage.toString()})(function (require, module, exports, process) {\n${source}\n}, ${JSON.stringify({
    argv: ['electron', ...(preferences.additionalArguments ?? [])],
    call: CALL,
    deliver: DELIVER,
  })});`;
}

/** Runs the preload script in the page. */
function runPreloadInPage(
  preload: (require: unknown, module: unknown, exports: unknown, process: unknown) => void,
  names: { argv: string[]; call: string; deliver: string },
): void {
  const page = globalThis as unknown as { [name: string]: unknown; top: unknown };
  const call = page[names.call] as (channel: string, args: unknown[]) => Promise<{ value: unknown } | { refusal: string }>;
  delete page[names.call];
  if (page.top !== page) return;
  const listeners: { channel: string; listener: (event: object, ...args: unknown[]) => void }[] = [];
  const deliver = (channel: string, args: unknown[]) => {
    for (const known of listeners) if (known.channel === channel) known.listener({ sender: 'hidden from the page' }, ...args);
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
    if (name !== 'electron') throw new Error(`Module not found: ${name}`);
    return { ipcRenderer, contextBridge };
  };
  const module = { exports: {} };
  preload(require, module, module.exports, { argv: names.argv, type: 'renderer', sandboxed: true });
}
