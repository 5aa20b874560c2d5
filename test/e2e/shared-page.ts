import type { Browser, BrowserContext, Page } from '@playwright/test';
import type { PageWatch } from './page-watch.ts';
import { resumeIn, type Service, type Session, sessionFor, takeBack } from './session.ts';

/** Start of a test with a signed-in page. */
export interface PageRequest {
  readonly browser: Browser;
  readonly service: Service;
  readonly watch: PageWatch;
  /** Test file and settings of its context. Only tests for which all of them are equal share a page. */
  readonly key: string;
}

/** Leaves no trace in the page, apart from what `resetPage` resets. Every other method that changes how a page behaves ends its use. */
const PAGE_CHANGES = [
  'addInitScript',
  'addScriptTag',
  'addStyleTag',
  'close',
  'exposeBinding',
  'exposeFunction',
  'routeFromHAR',
  'routeWebSocket',
  'setExtraHTTPHeaders',
] as const satisfies readonly (keyof Page)[];
const CONTEXT_CHANGES = [
  'addCookies',
  'addInitScript',
  'exposeBinding',
  'exposeFunction',
  'grantPermissions',
  'newPage',
  'route',
  'setExtraHTTPHeaders',
  'setGeolocation',
  'setOffline',
] as const satisfies readonly (keyof BrowserContext)[];
const CLOCK_CHANGES = ['install', 'setFixedTime', 'setSystemTime'] as const satisfies readonly (keyof Page['clock'])[];

const PAGE_EVENTS = [
  'console',
  'dialog',
  'download',
  'filechooser',
  'pageerror',
  'popup',
  'request',
  'requestfailed',
  'requestfinished',
  'response',
] as const;

interface OpenPage {
  readonly page: Page;
  readonly key: string;
  /** Address of the script with `start` and `stop`. */
  readonly script: string;
  readonly size: { readonly width: number; readonly height: number };
  /** First change after which the page cannot be used again. */
  change: string | undefined;
}

/**
 * The signed-in page that the tests of a file use one after another. Between two tests the application is stopped and started with new state in
 * the loaded page, which keeps its compiled code. A page that a test changed in another way, or whose test failed, is replaced by a new one.
 */
export class SharedPage {
  #open: OpenPage | undefined;

  /** Returns the signed-in page, on the Sell screen and ready for keys. */
  async take(request: PageRequest): Promise<Page> {
    if (this.#open !== undefined && this.#open.key !== request.key) await this.close();
    if (this.#open === undefined) this.#open = await openPage(request);
    else await startAgain(this.#open, await sessionFor(request.service));
    const { page } = this.#open;
    // The shortcuts of the shell and of the screen are registered in the same commit that shows the heading.
    await page.locator('[data-area] h1').first().waitFor({ state: 'attached' });
    return page;
  }

  /** Ends the use of the page by a test. */
  async giveBack({ service, watch }: PageRequest, hasPassed: boolean): Promise<void> {
    const open = this.#open;
    if (open === undefined) return;
    await takeBack(open.page, service);
    const reason = hasPassed ? (reasonToClose(open, service, watch) ?? (await resetPage(open, watch))) : 'failed test';
    if (reason !== undefined) {
      if (process.env.PAYDESK_TEST_PAGES === '1') console.log(`new page after: ${reason}`);
      await this.close();
    }
  }

  async close(): Promise<void> {
    const context = this.#open?.page.context();
    this.#open = undefined;
    await context?.close();
  }
}

async function openPage({ browser, service, watch, key }: PageRequest): Promise<OpenPage> {
  const context = await browser.newContext();
  await watch.watch(context);
  const page = await context.newPage();
  await page.addInitScript(noteGlobals);
  await page.addInitScript(provideMoves);
  await resumeIn(page, service);
  const [response] = await Promise.all([page.waitForResponse(/\/assets\/start-[^/]+\.js$/), page.goto('/#/sell')]);
  page.goto = gotoArea(page, page.goto.bind(page));
  const open: OpenPage = { page, key, script: response.url(), size: sizeOf(page), change: undefined };
  const note = (change: string) => {
    open.change ??= change;
  };
  noteCalls(page, PAGE_CHANGES, note);
  noteCalls(context, CONTEXT_CHANGES, note);
  noteCalls(page.clock, CLOCK_CHANGES, note);
  return open;
}

function sizeOf(page: Page): OpenPage['size'] {
  const size = page.viewportSize();
  if (size === null) throw new Error('The page has no fixed size.');
  return size;
}

/** Calls `note` before each of these methods of the object. */
function noteCalls<Target extends object>(target: Target, names: readonly (keyof Target & string)[], note: (name: string) => void): void {
  for (const name of names) {
    const method = target[name] as (...given: unknown[]) => unknown;
    Reflect.set(target, name, (...given: unknown[]) => {
      note(name);
      return method.apply(target, given);
    });
  }
}

/** Another hash in the URL loads nothing, and the previous screen stays until the new one is shown: this waits for the new one. */
function gotoArea(page: Page, goto: Page['goto']): Page['goto'] {
  return async (url, options) => {
    const response = await goto(url, options);
    const area = /#\/([^/?]+)/.exec(url)?.[1];
    if (area) await page.locator(`[data-area="${area}"]`).waitFor();
    return response;
  };
}

/** Returns the reason why the page cannot be used again, before it is touched. */
function reasonToClose({ page, change }: OpenPage, service: Service, watch: PageWatch): string | undefined {
  if (change !== undefined) return change;
  // The pages for payers have the same origin.
  if (page.isClosed() || !page.url().startsWith(`${service.baseUrl}/#`)) return 'another page';
  if (page.context().pages().length > 1) return 'a second page';
  // Its result would be shown in the next test.
  return watch.isChanging(page.context()) ? 'a change without a response' : undefined;
}

/** Stops the application and resets the page. Returns a trace of the test that cannot be removed. */
async function resetPage({ page, script, size }: OpenPage, watch: PageWatch): Promise<string | undefined> {
  if (!(await watch.waitForScripts(page.context()))) return 'a script without a response';
  for (const event of PAGE_EVENTS) page.removeAllListeners(event);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  const trace = await page.evaluate(stopApplication, script);
  if (trace !== null) return trace;
  // As in playwright.config.ts.
  await page.emulateMedia({ media: null, colorScheme: 'light', reducedMotion: 'reduce', forcedColors: null, contrast: null });
  await page.setViewportSize(size);
  // Where the pointer is when a page is new.
  await page.mouse.move(0, 0);
  return undefined;
}

async function startAgain({ page, script }: OpenPage, session: Session): Promise<void> {
  await page.evaluate(startApplication, { script, session });
}

/** Runs in the page before its own scripts. Notes the values of global objects, which a test can replace. */
function noteGlobals(): void {
  const owners = { window, document, navigator, history, console };
  const valuesOf = (owner: object) =>
    new Map(
      Object.entries(Object.getOwnPropertyDescriptors(owner))
        .filter(([name]) => !/^(__|_react|axe$|elementsFromPoint$)/.test(name))
        .map(([name, { value, get }]) => [name, value ?? get] as const),
    );
  const before = Object.entries(owners).map(([name, owner]) => ({ name, owner, values: valuesOf(owner) }));
  const changedGlobal = () => {
    for (const { name, owner, values } of before) {
      const now = valuesOf(owner);
      for (const [property, value] of now) if (!Object.is(values.get(property), value)) return `${name}.${property}`;
      for (const property of values.keys()) if (!now.has(property)) return `${name}.${property}`;
    }
    return null;
  };
  Object.defineProperty(window, '__changedGlobal', { value: changedGlobal });
}

/** Runs in the page before its own scripts. Provides the change of the address while the application is stopped. */
function provideMoves(): void {
  const nextTask = () =>
    new Promise((resolve) => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = resolve;
      port2.postMessage(null);
    });
  const moveTo = async (address: string) => {
    location.replace(address);
    // The router navigates to a typed address later. Its entry of the history then has an index. The application must not start in between.
    const isThere = () => location.hash === address && (history.state as { idx?: number } | null)?.idx !== undefined;
    const giveUpAt = performance.now() + 30_000;
    do {
      if (performance.now() > giveUpAt) throw new Error(`The router stays at ${location.hash} instead of ${address}.`);
      await nextTask();
    } while (!isThere());
  };
  Object.defineProperty(window, '__moveTo', { value: moveTo });
}

/** Runs in the page. Returns a trace of the test that stays, or null. */
async function stopApplication(script: string): Promise<string | null> {
  const { application } = (await import(script)) as { application: { stop: () => void } };
  application.stop();
  localStorage.clear();
  sessionStorage.clear();
  document.adoptedStyleSheets = [];
  // No screen has this address, so that the next test opens the first screen as a new one.
  await (Reflect.get(window, '__moveTo') as (address: string) => Promise<void>)('#/stopped');
  // The charts measure their texts in an element that they keep.
  const isOfPage = (element: Element) => element.matches('#root, noscript, script, svg:has(> #__react_svg_text_measurement_id)');
  const left = [...document.body.children].find((element) => !isOfPage(element));
  if (left !== undefined) return left.outerHTML.slice(0, 200);
  const attribute = [...document.body.attributes].find(({ value }) => value !== '');
  if (attribute !== undefined) return `body ${attribute.name}="${attribute.value}"`;
  return (Reflect.get(window, '__changedGlobal') as () => string | null)();
}

/** Runs in the page. Starts the application for a user who has signed in on this tab: the response that renews the session is provided. */
async function startApplication({ script, session }: { script: string; session: Session }): Promise<void> {
  const { application } = (await import(script)) as { application: { start: () => void } };
  await (Reflect.get(window, '__moveTo') as (address: string) => Promise<void>)('#/sell');
  (Reflect.get(window, '__resume') as (session: Session) => void)(session);
  application.start();
}
