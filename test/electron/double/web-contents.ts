import { EventEmitter } from 'node:events';
import type { CDPSession, Frame, Page, Request } from '@playwright/test';
import type { WebContentsPrintOptions, WebPreferences } from 'electron';
import { app } from './app.ts';
import { openBrowser } from './browser.ts';
import { ipcMain, type SenderFrame } from './ipc-main.ts';
import { CALL, DELIVER, preloadHost } from './preload-host.ts';
import { emitPreventable } from './preventable.ts';
import { printToQueue } from './print-queue.ts';
import { record } from './record.ts';
import { type DoubleSession, session } from './session.ts';

/** Fields of Chromium's `Fetch.requestPaused` that are read here. */
interface PausedRequest {
  requestId: string;
  frameId: string;
  resourceType: string;
  request: { url: string };
  redirectedRequestId?: string;
  responseStatusCode?: number;
  responseHeaders?: { name: string; value: string }[];
}

/**
 * True with `--double-files=empty`: all files of the server's page are empty, so that it runs no script. Otherwise each start of the
 * application loads and renders its screens.
 */
const areFilesEmpty = app.commandLine.getSwitchValue('double-files') === 'empty';
const EMPTY_FILE_TYPES: Readonly<Record<string, string>> = { Script: 'text/javascript', Stylesheet: 'text/css' };

const BOTH_STAGES = [
  { urlPattern: '*', requestStage: 'Request' as const },
  { urlPattern: '*', requestStage: 'Response' as const },
];

/** Electron's WebContents on a page of Chromium. Requests, redirects and new windows pass the same handlers in the same order as in Electron. */
export class WebContents extends EventEmitter {
  readonly debugger = new Debugger(this);
  readonly session: DoubleSession;
  private readonly preferences: WebPreferences;
  private readonly opened: Promise<Page>;
  private isLoading = false;
  private isClosed = false;
  private mainFrameId = '';
  private documentStatus = -1;
  private openHandler: ((details: { url: string }) => { action: string }) | undefined;

  constructor(preferences: WebPreferences, size: { width: number; height: number }) {
    super();
    this.preferences = preferences;
    this.session = preferences.partition === undefined ? session.defaultSession : session.fromPartition(preferences.partition);
    this.opened = this.open(size);
    // If the page cannot be opened, loadURL() reports the error.
    this.opened.catch(() => {});
  }

  getLastWebPreferences(): WebPreferences {
    return this.preferences;
  }

  setWindowOpenHandler(handler: (details: { url: string }) => { action: string }): void {
    this.openHandler = handler;
  }

  isLoadingMainFrame(): boolean {
    return this.isLoading;
  }

  async page(): Promise<Page> {
    return this.opened;
  }

  getURL(): Promise<string> {
    return this.opened.then((page) => page.url());
  }

  /** Loads an address. If it cannot be reached, Chromium shows its error page, whose load finishes like any other. */
  async loadURL(url: string): Promise<void> {
    this.isLoading = true;
    try {
      const page = await this.opened;
      if (!(await this.mayUnload())) throw new Error(`ERR_ABORTED (-3) loading '${url}'`);
      const response = await page.goto(url);
      record.steps.push(`load ${url.slice(0, 40)} ${response?.status() ?? ''}`.trim());
      this.emit('did-navigate', {}, url, response?.status() ?? -1, '');
      this.emit('did-finish-load');
    } finally {
      this.isLoading = false;
    }
  }

  reload(): void {
    record.steps.push('reload');
    const reload = async () => {
      const page = await this.opened;
      if (await this.mayUnload()) await page.reload();
    };
    // A failed reload is reported by events.
    reload().catch(() => undefined);
  }

  /** Returns true if the page may be left: its beforeunload listeners are called, and if one objects, `will-prevent-unload` decides. */
  async mayUnload(): Promise<boolean> {
    if (this.preferences.javascript === false) return true;
    const isObjecting = await this.executeJavaScript(DISPATCH_BEFOREUNLOAD).catch(() => false);
    return !isObjecting || emitPreventable(this, 'will-prevent-unload');
  }

  /** Runs code in the page regardless of its content policy, as Electron does. */
  async executeJavaScript(code: string): Promise<unknown> {
    return (await this.opened).evaluate(code);
  }

  send(channel: string, ...args: unknown[]): void {
    record.sent.push({ channel, args });
    const deliver = ([name, ...message]: [string, string, unknown[]]) => {
      (globalThis as unknown as Record<string, (channel: string, args: unknown[]) => void>)[name]?.(...message);
    };
    void this.opened.then((page) => page.evaluate(deliver, [DELIVER, channel, args] as [string, string, unknown[]]));
  }

  async getPrintersAsync(): Promise<object[]> {
    return record.printers;
  }

  print(options: WebContentsPrintOptions, done: (success: boolean, reason: string) => void): void {
    printToQueue(this.opened, options, done);
  }

  isDestroyed(): boolean {
    return this.isClosed;
  }

  async close(): Promise<void> {
    this.isClosed = true;
    const page = await this.opened;
    await page.context().close();
  }

  private async open(viewport: { width: number; height: number }): Promise<Page> {
    const context = await (await openBrowser()).newContext({ viewport, javaScriptEnabled: this.preferences.javascript !== false });
    const page = await context.newPage();
    await page.exposeBinding(CALL, ({ frame }, channel: string, args: unknown[]) => ipcMain.call(this, senderFrame(frame), channel, args));
    const host = preloadHost(this.preferences);
    if (host !== '') await page.addInitScript(host);
    page.on('popup', (popup) => this.applyOpenHandler(popup));
    const devtools = await context.newCDPSession(page);
    const { frameTree } = (await devtools.send('Page.getFrameTree')) as { frameTree: { frame: { id: string } } };
    this.mainFrameId = frameTree.frame.id;
    devtools.on('Fetch.requestPaused', (paused) => void this.handlePausedRequest(devtools, paused).catch(() => {}));
    await devtools.send('Fetch.enable', { patterns: BOTH_STAGES });
    await devtools.send('Page.enable');
    await devtools.send('Network.enable');
    this.forwardLoadEvents(devtools);
    // A window that a page opened exists until the handler has decided; until then it loads nothing.
    await context.route('**/*', (route) => (isRequestOf(page, route.request()) ? route.fallback() : route.abort()));
    return page;
  }

  /** Emits the load events also for loads that the page or its user starts, and for failed ones. */
  private forwardLoadEvents(devtools: CDPSession): void {
    devtools.on('Network.responseReceived', ({ type, frameId, response }) => {
      if (type === 'Document' && frameId === this.mainFrameId) this.documentStatus = response.status;
    });
    devtools.on('Page.frameNavigated', ({ frame: { id, url, unreachableUrl } }) => {
      if (id !== this.mainFrameId) return;
      if (unreachableUrl !== undefined) {
        record.steps.push('fail');
        this.emit('did-fail-load', {}, ERR_CONNECTION_REFUSED, 'ERR_CONNECTION_REFUSED', unreachableUrl, true, 1, 1);
      } else if (!this.isLoading) this.emit('did-navigate', {}, url, this.documentStatus, '');
    });
    devtools.on('Page.loadEventFired', () => {
      if (!this.isLoading) this.emit('did-finish-load');
    });
  }

  private applyOpenHandler(popup: Page): void {
    const { action } = this.openHandler?.({ url: popup.url() }) ?? { action: 'allow' };
    record.windowDecisions.push(action);
    if (action === 'deny') void popup.close();
  }

  private async handlePausedRequest(devtools: CDPSession, paused: PausedRequest): Promise<void> {
    const { requestId, request, responseStatusCode, responseHeaders } = paused;
    if (responseStatusCode !== undefined) {
      const headers = flattenHeaders(await this.session.headersFor(request.url, groupHeaders(responseHeaders ?? [])));
      const answer = { requestId, responseCode: responseStatusCode, responseHeaders: headers };
      // Chromium applies a policy in changed headers only if the whole response is replaced, including its body.
      const isWhole = paused.resourceType === 'Document' && responseStatusCode === 200;
      if (!isWhole) await devtools.send('Fetch.continueResponse', answer);
      else await devtools.send('Fetch.fulfillRequest', { ...answer, body: await bodyOf(devtools, requestId) });
      return;
    }
    const isNavigation = paused.resourceType === 'Document';
    if (!isNavigation && areFilesEmpty && request.url.startsWith('http:')) {
      const responseHeaders = [{ name: 'content-type', value: EMPTY_FILE_TYPES[paused.resourceType] ?? 'text/plain' }];
      return void (await devtools.send('Fetch.fulfillRequest', { requestId, responseCode: 200, responseHeaders }));
    }
    const isRefused = isNavigation && this.isNavigationRefused(paused);
    const isLoadRefused = !isRefused && !(await this.session.mayLoad(request.url));
    if (isRefused) record.navigationsRefused.push(request.url);
    if (isLoadRefused) record.loadsRefused.push(request.url);
    if (isRefused || isLoadRefused) await devtools.send('Fetch.failRequest', { requestId, errorReason: 'Aborted' });
    else await devtools.send('Fetch.continueRequest', { requestId });
  }

  /** Returns true if a handler refuses a navigation. Electron asks about navigations of pages and all redirects, not about loadURL(). */
  private isNavigationRefused({ frameId, request: { url }, redirectedRequestId }: PausedRequest): boolean {
    const isMainFrame = frameId === this.mainFrameId;
    if (redirectedRequestId !== undefined) return emitPreventable(this, 'will-redirect', { url, isMainFrame });
    if (isMainFrame && this.isLoading) return false;
    const isRefused = emitPreventable(this, 'will-frame-navigate', { url, isMainFrame });
    return isRefused || (isMainFrame && emitPreventable(this, 'will-navigate', { url, isMainFrame }));
  }
}

/** Chromium's error code of a refused connection. */
const ERR_CONNECTION_REFUSED = -102;

/** Expression that is true if a beforeunload listener of the page objects. */
const DISPATCH_BEFOREUNLOAD = `!dispatchEvent(new Event('beforeunload', { cancelable: true }))`;

/** Electron's debugger, with a separate DevTools session. */
class Debugger {
  private readonly contents: WebContents;
  private session: Promise<CDPSession> | undefined;

  constructor(contents: WebContents) {
    this.contents = contents;
  }

  attach(): void {
    if (this.session !== undefined) throw new Error('Debugger is already attached to the target');
    this.session = this.contents.page().then((page) => page.context().newCDPSession(page));
  }

  async sendCommand(method: string, parameters: object = {}): Promise<unknown> {
    if (this.session === undefined) throw new Error('No target available');
    return (await this.session).send(method as 'Page.enable', parameters as never);
  }

  detach(): void {
    // The window may be closed by then, with its sessions.
    this.session?.then((session) => session.detach()).catch(() => {});
    this.session = undefined;
  }
}

function senderFrame(frame: Frame): SenderFrame {
  const parent = frame.parentFrame();
  return { url: frame.url(), origin: URL.parse(frame.url())?.origin ?? 'null', parent: parent && senderFrame(parent) };
}

/** Returns the body of a paused response, in base64. */
async function bodyOf(devtools: CDPSession, requestId: string): Promise<string> {
  const { body, base64Encoded } = await devtools.send('Fetch.getResponseBody', { requestId });
  return base64Encoded ? body : Buffer.from(body).toString('base64');
}

/** Returns true if a request belongs to a page. The first request of a new window has no frame yet. */
function isRequestOf(page: Page, request: Request): boolean {
  try {
    return request.frame().page() === page;
  } catch {
    return false;
  }
}

function groupHeaders(headers: { name: string; value: string }[]): Record<string, string[]> {
  const groups: Record<string, string[]> = {};
  for (const { name, value } of headers) groups[name] = [...(groups[name] ?? []), value];
  return groups;
}

function flattenHeaders(headers: Record<string, string | string[]>): { name: string; value: string }[] {
  return Object.entries(headers).flatMap(([name, values]) => [values].flat().map((value) => ({ name, value })));
}
