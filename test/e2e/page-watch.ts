import type { BrowserContext, Request } from '@playwright/test';

const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]']);
const STROKE = 'tellStroke';

/** Records what the pages of a worker do that no test may ignore, and the keys and clicks that they receive. */
export class PageWatch {
  /** Requests to other computers. */
  strayRequests: string[] = [];
  /** Errors on the console and uncaught errors. */
  errors: string[] = [];
  keys = 0;
  clicks = 0;
  readonly #changesUnderWay = new Map<BrowserContext, Set<Request>>();

  /** Forgets what was recorded for the previous test. */
  startTest(): void {
    this.strayRequests = [];
    this.errors = [];
    this.resetStrokes();
  }

  resetStrokes(): void {
    this.keys = 0;
    this.clicks = 0;
  }

  /** Watches a context before its first page opens. */
  async watch(context: BrowserContext): Promise<void> {
    const changes = new Set<Request>();
    this.#changesUnderWay.set(context, changes);
    context.on('request', (request) => {
      if (leavesThisMachine(request.url())) this.strayRequests.push(request.url());
      if (request.method() !== 'GET') changes.add(request);
    });
    context.on('requestfinished', (request) => changes.delete(request));
    context.on('requestfailed', (request) => changes.delete(request));
    context.on('console', (message) => {
      if (message.type() === 'error') this.errors.push(`${message.text()} (${message.location().url})`);
    });
    context.on('weberror', (error) => this.errors.push(String(error.error())));
    context.on('close', () => this.#changesUnderWay.delete(context));
    await context.exposeBinding(STROKE, (_source, kind: 'key' | 'click') => {
      if (kind === 'key') this.keys += 1;
      else this.clicks += 1;
    });
    await context.addInitScript(listenToStrokes, STROKE);
  }

  /** Returns true while a request that changes data has no response. */
  isChanging(context: BrowserContext): boolean {
    return (this.#changesUnderWay.get(context)?.size ?? 0) > 0;
  }
}

function leavesThisMachine(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return !['data:', 'blob:', 'about:'].includes(protocol) && !LOOPBACK.has(hostname);
}

/** Runs in the page. Counts only events of a person or the browser driver, not events that a script creates. */
function listenToStrokes(binding: string): void {
  const tell = (kind: 'key' | 'click') => (Reflect.get(window, binding) as (kind: string) => Promise<void>)(kind);
  addEventListener('keydown', (event) => event.isTrusted && !event.repeat && tell('key'), true);
  addEventListener('pointerdown', (event) => event.isTrusted && tell('click'), true);
}
