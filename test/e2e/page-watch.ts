import type { BrowserContext, Page, Request } from '@playwright/test';
import { pause } from '../support/until.ts';

const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]']);
const STROKE = 'tellStroke';
/** Report of a page; `none` only follows earlier reports. */
type Stroke = 'key' | 'click' | 'none';
const SCRIPTS_LOAD_WITHIN_MS = 5_000;
const LOOK_EVERY_MS = 10;

/** Requests of a context that have no response yet. */
interface OpenRequests {
  /** Requests that change data. */
  readonly changes: Set<Request>;
  readonly scripts: Set<Request>;
}

/** Records what the pages of a worker do that no test may ignore, and the keys and clicks that they receive. */
export class PageWatch {
  /** Requests to other computers. */
  strayRequests: string[] = [];
  /** Errors on the console and uncaught errors. */
  errors: string[] = [];
  keys = 0;
  clicks = 0;
  readonly #open = new Map<BrowserContext, OpenRequests>();

  /** Forgets what was recorded for the previous test. */
  startTest(): void {
    this.strayRequests = [];
    this.errors = [];
    this.keys = 0;
    this.clicks = 0;
  }

  /** Forgets the strokes so far. Waits until the pages have reported those that they received: a report can be later than the response to its key. */
  async resetStrokes(): Promise<void> {
    const pages = [...this.#open.keys()].flatMap((context) => context.pages());
    await Promise.all(pages.map((page) => page.evaluate(report, [STROKE, 'none'] as const)));
    this.keys = 0;
    this.clicks = 0;
  }

  /** Watches a context before its first page opens. */
  async watch(context: BrowserContext): Promise<void> {
    const open: OpenRequests = { changes: new Set(), scripts: new Set() };
    this.#open.set(context, open);
    context.on('page', routeInOrder);
    context.on('request', (request) => {
      if (leavesThisMachine(request.url())) this.strayRequests.push(request.url());
      if (request.method() !== 'GET') open.changes.add(request);
      if (request.resourceType() === 'script') open.scripts.add(request);
    });
    const end = (request: Request) => {
      open.changes.delete(request);
      open.scripts.delete(request);
    };
    context.on('requestfinished', end).on('requestfailed', end);
    context.on('console', (message) => {
      if (message.type() === 'error') this.errors.push(`${message.text()} (${message.location().url})`);
    });
    context.on('weberror', (error) => this.errors.push(String(error.error())));
    context.on('close', () => this.#open.delete(context));
    await context.exposeBinding(STROKE, (_source, kind: Stroke) => {
      if (kind === 'key') this.keys += 1;
      if (kind === 'click') this.clicks += 1;
    });
    await context.addInitScript(listenToStrokes, STROKE);
  }

  /** Returns true while a request that changes data has no response. */
  isChanging(context: BrowserContext): boolean {
    return (this.#open.get(context)?.changes.size ?? 0) > 0;
  }

  /**
   * Waits until the page has its scripts, which it also loads ahead: one that is under way while the routes of a test are removed may never arrive.
   * Returns false if a script is still missing.
   */
  async waitForScripts(context: BrowserContext): Promise<boolean> {
    const isLoading = () => (this.#open.get(context)?.scripts.size ?? 0) > 0;
    for (const giveUpAt = performance.now() + SCRIPTS_LOAD_WITHIN_MS; isLoading(); await pause(LOOK_EVERY_MS)) {
      if (performance.now() > giveUpAt) return false;
    }
    return true;
  }
}

/**
 * Makes `route` wait until the page knows of it. The page learns of its first route by a message that a key overtakes while the page is busy: the
 * request of the key would pass by the route.
 */
function routeInOrder(page: Page): void {
  const route = page.route.bind(page);
  page.route = async (...given) => {
    const result = await route(...given);
    await page.evaluate(() => undefined).catch(() => undefined);
    return result;
  };
}

function leavesThisMachine(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return !['data:', 'blob:', 'about:', 'chrome-extension:'].includes(protocol) && !LOOPBACK.has(hostname);
}

/** Runs in the page. Returns when the test has the report. */
async function report([binding, kind]: readonly [string, Stroke]): Promise<void> {
  await (Reflect.get(window, binding) as ((kind: Stroke) => Promise<void>) | undefined)?.(kind);
}

/** Runs in the page. Counts only events of a person or the browser driver, not events that a script creates. */
function listenToStrokes(binding: string): void {
  const tell = (kind: 'key' | 'click') => (Reflect.get(window, binding) as (kind: string) => Promise<void>)(kind);
  addEventListener('keydown', (event) => event.isTrusted && !event.repeat && tell('key'), true);
  addEventListener('pointerdown', (event) => event.isTrusted && tell('click'), true);
}
