import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DrivenPage } from './driven-page.ts';
import { freePort } from './free-port.ts';
import { until } from './until.ts';

/** No requests to the vendor, and no pages of the first start. */
const PREFERENCES = {
  'app.update.enabled': false,
  'browser.shell.checkDefaultBrowser': false,
  'browser.startup.page': 0,
  'datareporting.policy.dataSubmissionEnabled': false,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'remote.active-protocols': 1,
};

interface Message {
  readonly id?: number;
  readonly type?: string;
  readonly result?: unknown;
  readonly error?: string;
  readonly message?: string;
}

/** A page of Firefox, driven by WebDriver BiDi, for versions that lack commands without which Playwright creates no page. */
export class FirefoxBidi extends DrivenPage {
  readonly #program: ChildProcess;
  readonly #profile: string;
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, (message: Message) => void>();
  #context = '';
  #sent = 0;

  private constructor(program: ChildProcess, profile: string, socket: WebSocket) {
    super();
    this.#program = program;
    this.#profile = profile;
    this.#socket = socket;
    socket.addEventListener('message', ({ data }) => {
      const message = JSON.parse(String(data)) as Message;
      this.#waiting.get(message.id ?? 0)?.(message);
      this.#waiting.delete(message.id ?? 0);
    });
  }

  /** Starts a Firefox with a profile of its own. */
  static async start(executablePath: string): Promise<FirefoxBidi> {
    const profile = mkdtempSync(join(tmpdir(), 'paydesk-firefox-'));
    const lines = Object.entries(PREFERENCES).map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});`);
    writeFileSync(join(profile, 'user.js'), lines.join('\n'));
    const port = await freePort();
    const args = ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port', String(port), 'about:blank'];
    const program = spawn(executablePath, args, { stdio: 'ignore' });
    const socket = await until('Firefox answers', () => connect(`ws://127.0.0.1:${port}/session`));
    const page = new FirefoxBidi(program, profile, socket);
    await page.#send('session.new', { capabilities: {} });
    const { contexts } = await page.#send<{ contexts: { context: string }[] }>('browsingContext.getTree', {});
    page.#context = contexts[0]?.context ?? '';
    return page;
  }

  open(url: string): Promise<unknown> {
    return this.#send('browsingContext.navigate', { context: this.#context, url, wait: 'complete' });
  }

  async run<Result>(script: string): Promise<Result> {
    const { result, exceptionDetails } = await this.#send<{ result?: { value?: string }; exceptionDetails?: { text: string } }>(
      'script.evaluate',
      {
        // Text is the only result that needs no conversion.
        expression: `JSON.stringify((() => { ${script} })() ?? null)`,
        target: { context: this.#context },
        awaitPromise: false,
      },
    );
    if (exceptionDetails !== undefined) throw new Error(exceptionDetails.text);
    return JSON.parse(result?.value ?? 'null') as Result;
  }

  protected act(actions: readonly object[]): Promise<unknown> {
    return this.#send('input.performActions', { context: this.#context, actions: [{ type: 'key', id: 'keyboard', actions }] });
  }

  async stop(): Promise<void> {
    this.#socket.close();
    const ended = new Promise((resolve) => this.#program.once('exit', resolve));
    this.#program.kill('SIGTERM');
    await ended;
    rmSync(this.#profile, { recursive: true, force: true });
  }

  async #send<Result>(method: string, params: object): Promise<Result> {
    this.#sent += 1;
    const id = this.#sent;
    const answer = new Promise<Message>((resolve) => this.#waiting.set(id, resolve));
    this.#socket.send(JSON.stringify({ id, method, params }));
    const { error, message, result } = await answer;
    if (error !== undefined) throw new Error(`${method}: ${error} ${message}`);
    return result as Result;
  }
}

function connect(url: string): Promise<WebSocket | null> {
  return new Promise((resolve) => {
    const socket = new WebSocket(url);
    socket.addEventListener('open', () => resolve(socket));
    socket.addEventListener('error', () => resolve(null));
  });
}
