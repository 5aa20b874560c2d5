import { app, type Session, type WebContents, type WebPreferences } from 'electron';
import { isLoadable, isSavable, isServerUrl } from './trusted-url.ts';

/**
 * Preferences of every window, which keep its pages from accessing this computer. A window may only add its preload script or session, or
 * turn scripts off.
 */
export const WEB_PREFERENCES = Object.freeze({
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
  // Its dictionaries would be downloaded from a foreign server.
  spellcheck: false,
} satisfies WebPreferences);

/** Second safeguard besides the stricter policy of the server: allows only code and content of the server, whatever headers a page has. */
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

const NO_DEVICE = 'card readers and printers are used by the application, not by pages';
const NO_SENSOR = 'the application needs no camera, microphone, position or motion';
const NO_SCREEN = 'card data may be on the screen, and pages must not change the window';
const NO_FILES = 'files are saved with the save dialog';
const NO_BACKGROUND = 'pages work only while they are visible; the server does the rest';
const NO_NETWORK = 'pages connect to their own server only';
const NO_THIRD_PARTY = 'pages contain no foreign content';
const NO_ACCESS_OUTSIDE = 'pages do not observe anything outside the application';

/**
 * Reason why each permission is refused; `true` for the only granted one, which copies payment links and IDs. The table is complete: a new
 * permission of Electron is a compile error until it is added.
 */
const PERMISSIONS: Record<Permission, true | string> = {
  'clipboard-sanitized-write': true,
  'clipboard-read': NO_ACCESS_OUTSIDE,
  'deprecated-sync-clipboard-read': NO_ACCESS_OUTSIDE,
  'idle-detection': NO_ACCESS_OUTSIDE,
  'local-fonts': NO_ACCESS_OUTSIDE,
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
  openExternal: 'no link leads out of the application',
  mediaKeySystem: NO_THIRD_PARTY,
  'payment-handler': NO_THIRD_PARTY,
  'storage-access': NO_THIRD_PARTY,
  'top-level-storage-access': NO_THIRD_PARTY,
  'web-app-installation': NO_THIRD_PARTY,
  unknown: 'the effect of an unknown permission is not known',
};

/** Returns the current address of the server; undefined while none runs, so that no page is trusted. */
type BaseUrl = () => string | undefined;

/** Restricts a session: refuses permissions, loads only content of the server, and adds our content policy to the server's. */
export function secureSession(session: Session, baseUrl: BaseUrl): void {
  session.setPermissionRequestHandler((_contents, permission, respond, details) => {
    const reason = refusalReason(permission, details.isMainFrame && isServerUrl(details.requestingUrl, baseUrl()));
    if (reason !== undefined) console.warn(`Refused ${permission}: ${reason}.`);
    respond(reason === undefined);
  });
  session.setPermissionCheckHandler((_contents, permission, origin, details) => {
    return refusalReason(permission, details.isMainFrame && isServerUrl(origin, baseUrl())) === undefined;
  });
  session.setDevicePermissionHandler(() => false);
  session.webRequest.onBeforeRequest((details, respond) => respond({ cancel: !isLoadable(details.url, baseUrl()) }));
  session.webRequest.onHeadersReceived((details, respond) =>
    respond({ responseHeaders: withContentPolicy(details.responseHeaders ?? {}) }),
  );
  session.on('will-download', (event, item) => {
    if (!isSavable(item.getURL(), baseUrl())) event.preventDefault();
  });
}

/** Prevents every page, now and later, from navigating to a foreign address, opening a window and embedding a webview. */
export function secureContents(baseUrl: BaseUrl): void {
  app.on('web-contents-created', (_event, contents: WebContents) => {
    contents.setWindowOpenHandler(() => ({ action: 'deny' }));
    contents.on('will-attach-webview', (event) => event.preventDefault());
    const preventForeignNavigation = (event: { url: string; preventDefault(): void }) => {
      if (!isServerUrl(event.url, baseUrl())) event.preventDefault();
    };
    contents.on('will-frame-navigate', preventForeignNavigation);
    contents.on('will-redirect', preventForeignNavigation);
  });
}

/** Returns the reason why a permission is refused; undefined if it is granted. */
function refusalReason(permission: Permission, isOwnMainFrame: boolean): string | undefined {
  const rule = PERMISSIONS[permission] ?? PERMISSIONS.unknown;
  if (rule !== true) return rule;
  return isOwnMainFrame ? undefined : 'it is granted to the main frame of our own page only';
}

/** Adds our content policy to the headers. Existing policies stay, because browsers enforce all policies of a response. */
function withContentPolicy(headers: Record<string, string[]>): Record<string, string[]> {
  const name = Object.keys(headers).find((key) => key.toLowerCase() === 'content-security-policy') ?? 'Content-Security-Policy';
  return { ...headers, [name]: [...(headers[name] ?? []), CONTENT_POLICY] };
}
