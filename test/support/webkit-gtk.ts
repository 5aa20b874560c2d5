import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { programPath } from './browser.ts';
import { DrivenPage } from './driven-page.ts';
import { freePort } from './free-port.ts';
import { until } from './until.ts';

const DRIVER = programPath('WebKitWebDriver');
/** The browser of the WebKitGTK package, which can be driven. */
const MINI_BROWSER = globSync('/usr/{lib,libexec,lib64}/{,*/}webkit{2gtk-4.1,gtk-6.0,2gtk-4.0}/MiniBrowser')[0];
const XVFB = programPath('Xvfb');
const hasDisplay = process.env.DISPLAY !== undefined || process.env.WAYLAND_DISPLAY !== undefined;

/** Reason why WebKitGTK cannot be driven here; undefined if it can. */
export const NO_WEBKIT_GTK =
  DRIVER === undefined || MINI_BROWSER === undefined
    ? 'there is no WebKitWebDriver with its MiniBrowser'
    : hasDisplay || XVFB !== undefined
      ? undefined
      : 'there is no display and no Xvfb';

/** A page of WebKitGTK, driven by WebDriver, because Playwright drives its own build of WebKit only. */
export class WebKitGtk extends DrivenPage {
  readonly #address: string;
  readonly #programs: readonly ChildProcess[];

  private constructor(address: string, programs: readonly ChildProcess[]) {
    super();
    this.#address = address;
    this.#programs = programs;
  }

  /** Starts the browser, on a virtual display if there is no other one. */
  static async start(): Promise<WebKitGtk> {
    const programs: ChildProcess[] = [];
    const env = { ...process.env };
    if (!hasDisplay) {
      const display = spawn(XVFB ?? '', ['-displayfd', '3', '-screen', '0', '1280x900x24', '-nolisten', 'tcp'], {
        stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
      });
      programs.push(display);
      const [number] = (await once(display.stdio[3] as NodeJS.ReadableStream, 'data')) as [Buffer];
      env.DISPLAY = `:${number.toString().trim()}`;
    }
    const port = await freePort();
    // Its sandbox needs rights that containers lack.
    programs.push(
      spawn(DRIVER ?? '', [`--port=${port}`], { env: { ...env, WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1' }, stdio: 'ignore' }),
    );
    const origin = `http://127.0.0.1:${port}`;
    const isReady = () =>
      fetch(`${origin}/status`).then(
        ({ ok }) => ok,
        () => false,
      );
    await until('the driver of WebKitGTK answers', isReady);
    const options = { binary: MINI_BROWSER, args: ['--automation'] };
    const { sessionId } = await send<{ sessionId: string }>('POST', `${origin}/session`, {
      capabilities: { alwaysMatch: { 'webkitgtk:browserOptions': options } },
    });
    return new WebKitGtk(`${origin}/session/${sessionId}`, programs);
  }

  open(url: string): Promise<void> {
    return send('POST', `${this.#address}/url`, { url });
  }

  run<Result>(script: string): Promise<Result> {
    return send('POST', `${this.#address}/execute/sync`, { script, args: [] });
  }

  protected act(actions: readonly object[]): Promise<unknown> {
    return send('POST', `${this.#address}/actions`, { actions: [{ type: 'key', id: 'keyboard', actions }] });
  }

  async stop(): Promise<void> {
    await send('DELETE', this.#address).catch(() => {});
    for (const program of this.#programs.toReversed()) program.kill('SIGTERM');
  }
}

async function send<Result>(method: string, url: string, body?: object): Promise<Result> {
  const response = await fetch(url, {
    method,
    ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  });
  const { value } = (await response.json()) as { value: Result & { error?: string; message?: string } };
  if (!response.ok) throw new Error(`${method} ${url}: ${value.error} ${value.message}`);
  return value;
}
