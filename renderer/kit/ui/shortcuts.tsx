import { createContext, type ReactNode, useContext, useEffect, useId, useLayoutEffect, useRef } from 'react';
import { t } from '#renderer/base/language';
import { createStore, onReset } from '#renderer/base/module-state';
import { useWorkstation } from '#renderer/base/workstation';

export interface Shortcut {
  /** "F9", "Mod+K" (Ctrl, or Cmd on a Mac), "Mod+Shift+D", "?", or a single letter, which works only outside of fields; empty for an action that only the command palette offers. */
  readonly keys: string;
  /** Description of the action, verb first, for the list of keys. */
  readonly label: string;
  /** Other words by which people look for the action in the command palette. */
  readonly words?: string;
  readonly run: () => void;
  /** Works even while a dialog is open, and before all others. */
  readonly always?: boolean;
}

interface Registered {
  readonly id: string;
  readonly layerId: string;
  readonly group: string;
  readonly shortcuts: readonly Shortcut[];
}

interface Layer {
  readonly id: string;
  readonly isBlocking: boolean;
}

const IS_MAC = /Mac|iPhone|iPad/.test(navigator.userAgent);
const ROOT_LAYER = 'ground';
const LayerContext = createContext(ROOT_LAYER);

let registered: readonly Registered[] = [];
let layers: readonly Layer[] = [{ id: ROOT_LAYER, isBlocking: false }];

/** A screen that opens must offer a requested action within this time. */
const REQUEST_MS = 5000;
/** Label of an action that runs once the screen that opens registers it, and the time until which it may. */
let requested: { readonly label: string; readonly until: number } | null = null;
onReset(() => {
  requested = null;
});

/** Runs an action of the screen that opens, by its label. */
export function requestAction(label: string): void {
  requested = { label, until: performance.now() + REQUEST_MS };
}

/** Increases when the shortcuts change, so that the list of keys updates. */
const useVersion = createStore<{ version: number }>()(() => ({ version: 0 }));
const notifyChanged = () => useVersion.setState(({ version }) => ({ version: version + 1 }));

/**
 * Layer of shortcuts over the others: its keys come first. A blocking layer (a dialog) disables the keys below it; a drawer passes on those
 * that it does not use.
 */
export function KeyLayer({ isBlocking, children }: { isBlocking: boolean; children: ReactNode }) {
  const id = useId();
  // In a layout effect, so that the keys match what is on screen from the first paint.
  useLayoutEffect(() => {
    layers = [...layers, { id, isBlocking }];
    return () => {
      layers = layers.filter((layer) => layer.id !== id);
    };
  }, [id, isBlocking]);
  return <LayerContext.Provider value={id}>{children}</LayerContext.Provider>;
}

/** Disables the shortcuts of components that are not shown. */
export function NoKeys({ children }: { children: ReactNode }) {
  return <LayerContext.Provider value="none">{children}</LayerContext.Provider>;
}

/** Returns true outside of panels and dialogs. */
export const useIsOnPage = (): boolean => useContext(LayerContext) === ROOT_LAYER;

/** Heading of the shortcuts that work on every screen. */
export const EVERYWHERE = t('Everywhere');

/** Shortcuts that work while the component is mounted. `group` is their heading in the list of keys. */
export function useShortcuts(group: string, shortcuts: readonly Shortcut[]): void {
  const layerId = useContext(LayerContext);
  const id = useId();
  const latest = useRef(shortcuts);
  latest.current = shortcuts;
  const signature = shortcuts.map(({ keys, label }) => `${keys} ${label}`).join('\n');
  // biome-ignore lint/correctness/useExhaustiveDependencies: the signature represents the shortcuts; their functions are read when a key is pressed.
  useLayoutEffect(() => {
    const entry: Registered = {
      id,
      layerId,
      group,
      get shortcuts() {
        return latest.current;
      },
    };
    registered = [...registered, entry];
    notifyChanged();
    return () => {
      registered = registered.filter((other) => other !== entry);
      notifyChanged();
    };
  }, [id, layerId, group, signature]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the signature represents the shortcuts.
  useEffect(() => {
    const wanted = latest.current.find(({ label }) => label === requested?.label);
    if (requested === null || wanted === undefined) return;
    const isInTime = performance.now() < requested.until;
    requested = null;
    if (isInTime) wanted.run();
  }, [signature]);
}

/** Returns all current shortcuts by group, for the list of shortcuts. */
export function useShortcutList(): readonly { readonly group: string; readonly shortcuts: readonly Shortcut[] }[] {
  useVersion((state) => state.version);
  const groups = new Map<string, Shortcut[]>();
  for (const { group, shortcuts } of registered) groups.set(group, [...(groups.get(group) ?? []), ...shortcuts]);
  // A group is registered without shortcuts while none of its actions is possible.
  return [...groups].filter(([, shortcuts]) => shortcuts.length > 0).map(([group, shortcuts]) => ({ group, shortcuts }));
}

/** Listens to the keyboard. Used once, at the root. */
export function useShortcutListener(): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing) return;
      const shortcut = findShortcut(event);
      if (!shortcut) return;
      event.preventDefault();
      if (!event.repeat) shortcut.run();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
}

/** Returns the topmost shortcut of the pressed key that is not below a blocking layer. */
function findShortcut(event: KeyboardEvent): Shortcut | undefined {
  const depthByLayer = new Map<string, number>();
  for (const [depth, layer] of layers.toReversed().entries()) {
    depthByLayer.set(layer.id, depth);
    if (layer.isBlocking) break;
  }
  const candidates = registered
    .toReversed()
    .flatMap(({ layerId, shortcuts }) => shortcuts.map((shortcut) => ({ shortcut, depth: depthByLayer.get(layerId) })))
    .filter(({ shortcut, depth }) => (depth !== undefined || shortcut.always) && isPressed(shortcut.keys, event))
    .sort(
      (a, b) =>
        Number(b.shortcut.always ?? false) - Number(a.shortcut.always ?? false) ||
        (a.depth ?? Number.POSITIVE_INFINITY) - (b.depth ?? Number.POSITIVE_INFINITY),
    );
  return candidates[0]?.shortcut;
}

function isPressed(keys: string, event: KeyboardEvent): boolean {
  if (event.altKey)
    return !event.ctrlKey && !event.metaKey && !event.shiftKey && `Alt+${event.code.replace('Key', '')}` === SECOND_KEYS[keys];
  const hasMod = event.ctrlKey || event.metaKey;
  const modShift = 'Mod+Shift+';
  if (keys.startsWith(modShift)) return hasMod && event.shiftKey && event.key.toLowerCase() === keys.slice(modShift.length).toLowerCase();
  if (keys.startsWith('Mod+')) return hasMod && !event.shiftKey && event.key.toLowerCase() === keys.slice('Mod+'.length).toLowerCase();
  if (hasMod) return false;
  if (keys.length > 1) return event.key === keys;
  const isLetterKeyOn = useWorkstation.getState().letterKeys && !isTyping(event.target);
  return isLetterKeyOn && event.key.toLowerCase() === keys.toLowerCase();
}

/** Returns true if a key goes into a field. */
function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement) return true;
  return target instanceof HTMLInputElement && !['checkbox', 'radio', 'button', 'submit'].includes(target.type);
}

/**
 * Second keys in a browser that uses the first ones itself: for its search, address bar, caret, menus, bookmarks and files. They avoid letters
 * with which browsers open their menus (B, D, E, F, H, S, T, V). Browsers on a Mac leave the first ones to the page or have no such function.
 */
const SECOND_KEYS: Readonly<Record<string, string>> =
  IS_MAC || 'paydesk' in globalThis
    ? {}
    : { F3: 'Alt+K', F6: 'Alt+C', F7: 'Alt+R', F10: 'Alt+O', 'Mod+D': 'Alt+P', 'Mod+L': 'Alt+L', 'Mod+O': 'Alt+W' };

/** Returns the label of a key on this computer's keyboard. */
export function keyLabel(keys: string): string {
  const named = (SECOND_KEYS[keys] ?? keys).replace('Escape', 'Esc');
  return IS_MAC ? named.replace('Mod+', '⌘').replace('Shift+', '⇧') : named.replace('Mod+', 'Ctrl+');
}

/** Returns keys for `aria-keyshortcuts`. */
export const ariaKeys = (keys: string): string => (SECOND_KEYS[keys] ?? keys).replace('Mod+', IS_MAC ? 'Meta+' : 'Control+');

/** Returns the properties of a button that name its key: a tooltip, as a cap beside each label would outweigh the labels. */
export const keyTip = (keys: string) => ({ title: keyLabel(keys), 'aria-keyshortcuts': ariaKeys(keys) });
