// A start after `kill -9` with a large database file. The file is enlarged by a hole, and the process of the check waits for a file.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, truncateSync } from 'node:fs';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { type RunningServer, type StartStep, startServer } from '#server';
import { listenWhileStarting } from '../../../server/app/starting.ts';
import { freePort } from '../../support/free-port.ts';
import { createSampleInstallation } from '../../support/sample-data.ts';
import { FULL } from '../../support/tier.ts';
import { until } from '../../support/until.ts';

const LARGE_BYTES = 120_000_000;

/** A check that announces itself, waits for its verdict in a file and sends it. */
const WAITING_CHECK = `
  import { existsSync, readFileSync, writeFileSync } from 'node:fs';
  import { join } from 'node:path';
  const at = (name) => join(import.meta.dirname, name);
  process.once('disconnect', () => process.exit());
  process.once('message', () => {
    writeFileSync(at('started'), String(process.pid));
    setInterval(() => existsSync(at('verdict')) && process.send(JSON.parse(readFileSync(at('verdict'), 'utf8')), () => process.exit()), 5);
  });
`;

let dataDir: string;
let scripts: string;
beforeEach(async () => {
  const sample = await createSampleInstallation('sqlite', 'small');
  onTestFinished(() => sample.remove());
  dataDir = sample.dataDir;
  const file = join(dataDir, 'paydesk.sqlite');
  await rm(`${file}.clean-stop`, { force: true });
  truncateSync(file, LARGE_BYTES);
  scripts = await mkdtemp(join(tmpdir(), 'paydesk-check-'));
  onTestFinished(() => rm(scripts, { recursive: true, force: true }));
  await writeFile(join(scripts, 'integrity-worker.js'), WAITING_CHECK);
  await writeFile(join(scripts, 'package.json'), '{"type":"module"}');
});

const isChecking = () => until('the check has begun', () => existsSync(join(scripts, 'started')));
/** Ends the check. The verdict appears whole, because the check may read it at any time. */
async function conclude(faults: readonly { readonly detail: string }[]): Promise<void> {
  await writeFile(join(scripts, 'verdict.part'), JSON.stringify(faults));
  await rename(join(scripts, 'verdict.part'), join(scripts, 'verdict'));
}

/** Starts a server whose check waits. `settled` never rejects, so that a test can look at the server meanwhile. */
async function startChecking(port: number, signal?: AbortSignal) {
  const announced: StartStep[] = [];
  const options = { dataDir, port, logLevel: 'silent', signal, onLongStep: (step: StartStep) => void announced.push(step) };
  const settled = startServer(options, scripts).then(
    (server) => ({ server, error: null }),
    (error: Error) => ({ server: null, error }),
  );
  onTestFinished(async () => {
    await conclude([]);
    await (await settled).server?.close();
  });
  await isChecking();
  return { settled, announced, base: `http://127.0.0.1:${port}` };
}

const asBrowser = (language: string) => ({ headers: { accept: 'text/html,*/*', 'accept-language': language } });

/** Sends a request with any Host header, and returns the response. */
function rawRequest(host: string, port: number, head: string): Promise<string> {
  const socket = connect(port, host);
  socket.write(`${head}\r\n\r\n`);
  return text(socket);
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe('a start that checks a large file', () => {
  test('reports on /health, shows a page and refuses requests, until the server is ready on the same port', async () => {
    const { settled, announced, base } = await startChecking(await freePort());
    expect(announced).toEqual([{ kind: 'check', bytes: LARGE_BYTES }]);
    expect((await fetch(`${base}/health/live`)).status).toBe(200);
    expect((await fetch(`${base}/health/ready`)).status).toBe(503);
    const health = await fetch(`${base}/health`);
    expect(health.status).toBe(503);
    expect(health.headers.get('retry-after')).toBe('2');
    expect(await health.json()).toMatchObject({
      status: 'starting',
      database: { kind: 'sqlite', status: 'checking' },
      disk: { status: 'ok' },
      problems: [expect.stringContaining('120.0 MB')],
    });
    const page = await fetch(`${base}/`, asBrowser('en-US'));
    expect(page.status).toBe(503);
    expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'unsafe-inline';/);
    const markup = await page.text();
    expect(markup).toContain('Paydesk is starting');
    expect(markup).toContain('120.0 MB');
    expect(markup).toContain('http-equiv="refresh"');
    expect(markup).not.toMatch(/<script|https?:/);
    expect(await (await fetch(`${base}/pay/x`, asBrowser('es-MX'))).text()).toContain('Paydesk se está iniciando');
    for (const request of [{}, { method: 'POST', body: 'x'.repeat(100_000) }]) {
      const refused = await fetch(`${base}/api/v1/transactions`, request);
      expect(refused.status).toBe(503);
      expect(refused.headers.get('retry-after')).toBe('2');
      expect(await refused.json()).toMatchObject({ success: false, error: { code: 'SERVICE_UNAVAILABLE' } });
    }

    await conclude([]);
    const { server } = await settled;
    expect(server?.baseUrl).toBe(base);
    expect(await (await fetch(`${base}/health`)).json()).toMatchObject({ status: 'ok', database: { status: 'ok' } });
  });

  test('tells a name that is not its own neither its health nor the size of the file', async () => {
    const { base } = await startChecking(await freePort());
    const { hostname, port } = new URL(base);
    const page = await rawRequest(hostname, Number(port), 'GET / HTTP/1.1\r\nhost: evil.example\r\naccept: text/html');
    expect(page).toContain('Paydesk is starting');
    expect(page).not.toContain('120.0 MB');
    const health = await rawRequest(hostname, Number(port), 'GET /health HTTP/1.1\r\nhost: evil.example');
    expect(health).toMatch(/^HTTP\/1\.1 400 /);
  });

  test('refuses a damaged file with the steps that restore it, and releases the port and the data directory', async () => {
    const port = await freePort();
    const { settled } = await startChecking(port);
    await conclude([{ detail: 'Tree 5 page 7: btreeInitPage() returns error code 11' }]);
    const { error } = await settled;
    expect(error?.message).toContain('paydesk.sqlite is damaged');
    expect(error).toMatchObject({ instructions: expect.stringContaining('paydesk restore') });
    const second = startServer({ dataDir, port, logLevel: 'silent' }, scripts);
    await expect(second).rejects.toThrow('paydesk.sqlite is damaged');
  });

  test('ends the check and the start with its signal', async () => {
    const quit = new AbortController();
    const { settled } = await startChecking(await freePort(), quit.signal);
    quit.abort();
    expect((await settled).error?.message).toBe('the task was aborted');
    expect(existsSync(join(dataDir, 'paydesk.sqlite.clean-stop'))).toBe(false);
  });

  test('reports a port in use before the check', async () => {
    const other = createServer();
    await once(other.listen(0, '127.0.0.1'), 'listening');
    onTestFinished(() => void other.close());
    const { port } = other.address() as { port: number };
    await expect(startServer({ dataDir, port, logLevel: 'silent' }, scripts)).rejects.toMatchObject({ code: 'EADDRINUSE' });
    expect(existsSync(join(scripts, 'started'))).toBe(false);
  });

  test('ends with SIGTERM, and its check with it', FULL, async () => {
    const options = { dataDir, port: await freePort(), logLevel: 'silent' };
    const program = `import { startServer } from '#server'; await startServer(${JSON.stringify(options)}, ${JSON.stringify(scripts)});`;
    const child: ChildProcess = spawn(process.execPath, ['--input-type=module-typescript', '--eval', program], { stdio: 'ignore' });
    onTestFinished(() => void child.kill('SIGKILL'));
    const ended = once(child, 'exit');
    await isChecking();
    const check = Number(readFileSync(join(scripts, 'started'), 'utf8'));
    child.kill('SIGTERM');
    expect(await ended).toEqual([null, 'SIGTERM']);
    await until('the process of the check has ended', () => !isRunning(check));
  });
});

test('a start that updates the file after the check says so on /health, on the page and in refusals', async () => {
  const port = await freePort();
  const starting = await listenWhileStarting('127.0.0.1', port, { kind: 'check', bytes: LARGE_BYTES });
  if (starting === null) throw new Error('Nothing listens.');
  onTestFinished(() => starting.close());
  starting.step = { kind: 'update', bytes: LARGE_BYTES };
  const base = `http://127.0.0.1:${port}`;
  expect(await (await fetch(`${base}/health`)).json()).toMatchObject({
    status: 'starting',
    database: { status: 'updating' },
    problems: [expect.stringMatching(/120\.0 MB.*updated to this version/)],
  });
  for (const [language, words] of [
    ['en', 'is updated to this version of Paydesk'],
    ['es', 'se actualiza a esta versión de Paydesk'],
  ] as const) {
    const markup = await (await fetch(base, asBrowser(language))).text();
    expect(markup).toContain(words);
    expect(markup).not.toMatch(/checked|comprueba/);
  }
  expect(await (await fetch(`${base}/api/v1/transactions`)).json()).toMatchObject({
    error: { message: expect.stringContaining('updates its database file') },
  });
});

test('a real check accepts a large file that is intact', async () => {
  const server: RunningServer = await startServer({ dataDir, port: await freePort(), logLevel: 'silent' });
  await server.close();
  expect(existsSync(join(dataDir, 'paydesk.sqlite.clean-stop'))).toBe(true);
});
