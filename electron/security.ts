import { app, type Session, type WebContents, type WebPreferences } from 'electron';
import { isLoadable, isOurs, isSavable } from './trusted-url.ts';

/**
 * Restrictions of every window's pages, which can do nothing to this computer. A window may add its preload script or turn scripts off, and
 * changes nothing else.
 */
export const PREFERENCES = Object.freeze({
  contextIsolation: true,
  sandbox: true,
  nodeIntegration: false,
  nodeIntegrationInSubFrames: false,
  nodeIntegrationInWorker: false,
  webSecurity: true,
  allowRunningInsecureContent: false,
  experimentalFeatures: false,
  webviewTag: false,
  navigateOnDragDrop: false,
  // Its dictionaries would be fetched from a foreign server.
  spellcheck: false,
} satisfies WebPreferences);

/** Second safeguard besides the server's own, stricter policy: only code and content of the server, whatever the headers of a page say. */
const CONTENT_POLICY = [
  "default-src 'self'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "frame-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'self'",
].join('; ');

type Permission = Parameters<NonNullable<Parameters<Session['setPermissionRequestHandler']>[0]>>[1];

const NO_DEVICE = 'readers and printers are reached by the system, not by pages';
const NO_SENSOR = 'a till needs no camera, microphone, position or motion';
const NO_SCREEN = 'card data may be on the screen, and the till keeps its window as the clerk left it';
const NO_FILES = 'files come and go through the save dialog';
const NO_BACKGROUND = 'our pages work while they are seen, the server does the rest';
const NO_NETWORK = 'our pages speak to their own server only';
const NO_THIRD_PARTY = 'there are no foreign pages in ours';
const NO_SPYING = 'what the clerk does outside is not our business';

/**
 * Reason why each permission is refused; `true` for the one that is granted, which copies pay links and identifiers. Complete: a permission
 * that is new in Electron does not compile until it is decided.
 */
const PERMISSIONS: Record<Permission, true | string> = {
  'clipboard-sanitized-write': true,
  'clipboard-read': NO_SPYING,
  'deprecated-sync-clipboard-read': NO_SPYING,
  'idle-detection': NO_SPYING,
  'local-fonts': NO_SPYING,
  ar: NO_SENSOR,
  vr: NO_SENSOR,
  geolocation: NO_SENSOR,
  'geolocation-approximate': NO_SENSOR,
  'hand-tracking': NO_SENSOR,
  media: NO_SENSOR,
  sensors: NO_SENSOR,
  'speaker-selection': NO_SENSOR,
  hid: NO_DEVICE,
  midi: NO_DEVICE,
  midiSysex: NO_DEVICE,
  nfc: NO_DEVICE,
  serial: NO_DEVICE,
  'smart-card': NO_DEVICE,
  usb: NO_DEVICE,
  'web-printing': NO_DEVICE,
  'automatic-fullscreen': NO_SCREEN,
  'captured-surface-control': NO_SCREEN,
  'display-capture': NO_SCREEN,
  fullscreen: NO_SCREEN,
  keyboardLock: NO_SCREEN,
  pointerLock: NO_SCREEN,
  'screen-wake-lock': NO_SCREEN,
  'system-wake-lock': NO_SCREEN,
  'window-management': NO_SCREEN,
  fileSystem: NO_FILES,
  'persistent-storage': NO_FILES,
  'background-fetch': NO_BACKGROUND,
  'background-sync': NO_BACKGROUND,
  'periodic-background-sync': NO_BACKGROUND,
  notifications: NO_BACKGROUND,
  'local-network': NO_NETWORK,
  'local-network-access': NO_NETWORK,
  'loopback-network': NO_NETWORK,
  openExternal: 'no link of ours leads out of the application',
  mediaKeySystem: NO_THIRD_PARTY,
  'payment-handler': NO_THIRD_PARTY,
  'storage-access': NO_THIRD_PARTY,
  'top-level-storage-access': NO_THIRD_PARTY,
  'web-app-installation': NO_THIRD_PARTY,
  unknown: 'nobody knows what it would allow',
};

/** The server's address at the moment; undefined while there is no server, when no page is ours. */
type BaseUrl = () => string | undefined;

/** Refuses permissions to pages, loads only content of the server, and adds our content policy to its own. */
export function secureSession(session: Session, baseUrl: BaseUrl): void {
  session.setPermissionRequestHandler((_contents, permission, answer, details) => {
    const why = refusal(permission, details.isMainFrame && isOurs(details.requestingUrl, baseUrl()));
    if (why !== undefined) console.warn(`Refused ${permission}: ${why}.`);
    answer(why === undefined);
  });
  session.setPermissionCheckHandler((_contents, permission, origin, details) => {
    return refusal(permission, details.isMainFrame && isOurs(origin, baseUrl())) === undefined;
  });
  session.setDevicePermissionHandler(() => false);
  session.webRequest.onBeforeRequest((details, answer) => answer({ cancel: !isLoadable(details.url, baseUrl()) }));
  session.webRequest.onHeadersReceived((details, answer) => answer({ responseHeaders: withPolicy(details.responseHeaders ?? {}) }));
  session.on('will-download', (event, item) => {
    if (!isSavable(item.getURL(), baseUrl())) event.preventDefault();
  });
}

/** Keeps every page there will ever be where it is: no foreign address, no second window, no page within the page. */
export function secureContents(baseUrl: BaseUrl): void {
  app.on('web-contents-created', (_event, contents: WebContents) => {
    contents.setWindowOpenHandler(() => ({ action: 'deny' }));
    contents.on('will-attach-webview', (event) => event.preventDefault());
    const stay = (event: { url: string; preventDefault(): void }) => {
      if (!isOurs(event.url, baseUrl())) event.preventDefault();
    };
    contents.on('will-frame-navigate', stay);
    contents.on('will-redirect', stay);
  });
}

/** Returns the reason why a page does not get the permission; undefined if it does. */
function refusal(permission: Permission, asksFromOurPage: boolean): string | undefined {
  const verdict = PERMISSIONS[permission] ?? PERMISSIONS.unknown;
  if (verdict !== true) return verdict;
  return asksFromOurPage ? undefined : 'only the main frame of our own page gets it';
}

/** Browsers obey every policy that an answer carries, so ours is added and none replaced. */
function withPolicy(headers: Record<string, string[]>): Record<string, string[]> {
  const name = Object.keys(headers).find((key) => key.toLowerCase() === 'content-security-policy') ?? 'Content-Security-Policy';
  return { ...headers, [name]: [...(headers[name] ?? []), CONTENT_POLICY] };
}
