import { EventEmitter } from 'node:events';
import type { CDPSession, Frame, Page, Request } from '@playwright/test';
import type { WebContentsPrintOptions, WebPreferences } from 'electron';
import { openBrowser } from './browser.ts';
import { ipcMain, type SenderFrame } from './ipc-main.ts';
import { CALL, DELIVER, preloadHost } from './preload-host.ts';
import { emitPreventable } from './preventable.ts';
import { printToQueue } from './print-queue.ts';
import { record } from './record.ts';
import { type DoubleSession, session } from './session.ts';

/** The parts of Chromium's `Fetch.requestPaused` that we read. */
interface PausedRequest {
  requestId: string;
  frameId: string;
  resourceType: string;
  request: { url: string };
  redirectedRequestId?: string;
  responseStatusCode?: number;
  responseHeaders?: { name: string; value: string }[];
}

const BOTH_STAGES = [
  { urlPattern: '*', requestStage: 'Request' as const },
  { urlPattern: '*', requestStage: 'Response' as const },
];

/** Electron's WebContents over a page of Chromium: its requests, redirects and new windows pass the same questions in the same order. */
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
    // A failed opening is told to whoever loads an address.
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

  /** What cannot be reached leaves Chromium's own page about it in the window, which is told as finished like any other. */
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
    const again = async () => {
      const page = await this.opened;
      if (await this.mayUnload()) await page.reload();
    };
    // Its failure is told by events.
    again().catch(() => undefined);
  }

  /** Whether the page may be left: its beforeunload listeners are asked, and where one objects, the program at once. */
  async mayUnload(): Promise<boolean> {
    if (this.preferences.javascript === false) return true;
    const isObjecting = await this.executeJavaScript(ASK_TO_UNLOAD).catch(() => false);
    return !isObjecting || emitPreventable(this, 'will-prevent-unload');
  }

  /** Electron runs it with the rights of the page; so do we, whatever the page's policy says. */
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
    page.on('popup', (popup) => this.decideOnWindow(popup));
    const devtools = await context.newCDPSession(page);
    const { frameTree } = (await devtools.send('Page.getFrameTree')) as { frameTree: { frame: { id: string } } };
    this.mainFrameId = frameTree.frame.id;
    devtools.on('Fetch.requestPaused', (paused) => void this.pass(devtools, paused).catch(() => {}));
    await devtools.send('Fetch.enable', { patterns: BOTH_STAGES });
    await devtools.send('Page.enable');
    await devtools.send('Network.enable');
    this.tellOfLoads(devtools);
    // A window that a page opened lives until it is decided on; meanwhile it fetches nothing.
    await context.route('**/*', (route) => (isOf(page, route.request()) ? route.fallback() : route.abort()));
    return page;
  }

  /** What the page or its user loads is told as what the program loads is, and so is what fails. */
  private tellOfLoads(devtools: CDPSession): void {
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

  private decideOnWindow(popup: Page): void {
    const { action } = this.openHandler?.({ url: popup.url() }) ?? { action: 'allow' };
    record.windowsAsked.push(action);
    if (action === 'deny') void popup.close();
  }

  private async pass(devtools: CDPSession, paused: PausedRequest): Promise<void> {
    const { requestId, request, responseStatusCode, responseHeaders } = paused;
    if (responseStatusCode !== undefined) {
      const headers = flat(await this.session.headersFor(request.url, grouped(responseHeaders ?? [])));
      const answer = { requestId, responseCode: responseStatusCode, responseHeaders: headers };
      // Chromium obeys a policy among changed headers only in an answer that is given anew, body and all.
      const isWhole = paused.resourceType === 'Document' && responseStatusCode === 200;
      if (!isWhole) await devtools.send('Fetch.continueResponse', answer);
      else await devtools.send('Fetch.fulfillRequest', { ...answer, body: await bodyOf(devtools, requestId) });
      return;
    }
    const isNavigation = paused.resourceType === 'Document';
    const isRefused = isNavigation && this.isNavigationRefused(paused);
    const isLoadRefused = !isRefused && !(await this.session.mayLoad(request.url));
    if (isRefused) record.navigationsRefused.push(request.url);
    if (isLoadRefused) record.loadsRefused.push(request.url);
    if (isRefused || isLoadRefused) await devtools.send('Fetch.failRequest', { requestId, errorReason: 'Aborted' });
    else await devtools.send('Fetch.continueRequest', { requestId });
  }

  /** Electron asks about what pages begin and about every redirect; what the program itself loads is not asked about. */
  private isNavigationRefused({ frameId, request: { url }, redirectedRequestId }: PausedRequest): boolean {
    const isMainFrame = frameId === this.mainFrameId;
    if (redirectedRequestId !== undefined) return emitPreventable(this, 'will-redirect', { url, isMainFrame });
    if (isMainFrame && this.isLoading) return false;
    const isRefused = emitPreventable(this, 'will-frame-navigate', { url, isMainFrame });
    return isRefused || (isMainFrame && emitPreventable(this, 'will-navigate', { url, isMainFrame }));
  }
}

/** Chromium's number for it. */
const ERR_CONNECTION_REFUSED = -102;

/** Whether a page's beforeunload listener objects. */
const ASK_TO_UNLOAD = `!dispatchEvent(new Event('beforeunload', { cancelable: true }))`;

/** Electron's debugger over a session of its own, as Electron's is. */
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
    // The window may be gone by then, and its sessions with it.
    this.session?.then((session) => session.detach()).catch(() => {});
    this.session = undefined;
  }
}

function senderFrame(frame: Frame): SenderFrame {
  const parent = frame.parentFrame();
  return { url: frame.url(), origin: URL.parse(frame.url())?.origin ?? 'null', parent: parent && senderFrame(parent) };
}

/** The body of a paused answer, in base64. */
async function bodyOf(devtools: CDPSession, requestId: string): Promise<string> {
  const { body, base64Encoded } = await devtools.send('Fetch.getResponseBody', { requestId });
  return base64Encoded ? body : Buffer.from(body).toString('base64');
}

/** The first request of a window that a page opens has no frame yet. */
function isOf(page: Page, request: Request): boolean {
  try {
    return request.frame().page() === page;
  } catch {
    return false;
  }
}

function grouped(headers: { name: string; value: string }[]): Record<string, string[]> {
  const groups: Record<string, string[]> = {};
  for (const { name, value } of headers) groups[name] = [...(groups[name] ?? []), value];
  return groups;
}

function flat(headers: Record<string, string | string[]>): { name: string; value: string }[] {
  return Object.entries(headers).flatMap(([name, values]) => [values].flat().map((value) => ({ name, value })));
}
