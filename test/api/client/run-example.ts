import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { freePort } from '../../support/free-port.ts';
import type { ApiFixture } from '../../support/server.ts';
import { ROOT } from '../../support/sources.ts';

/** Runs a program as the README of the example describes: events of a running server are forwarded to its port. Returns its exit code and output. */
export async function runExample(command: string, program: string, { baseUrl, credentials }: ApiFixture) {
  const folder = await mkdtemp(join(tmpdir(), 'paydesk-example-'));
  const port = String(await freePort());
  const env = {
    ...process.env,
    PAYDESK_URL: baseUrl,
    PAYDESK_TENANT_ID: credentials.tenantId,
    PAYDESK_API_KEY: credentials.apiKey,
    PAYDESK_WEBHOOK_SECRET: `whsec_${Buffer.alloc(32, 7).toString('base64')}`,
    PORT: port,
  };
  const listen = [join(ROOT, 'cli/paydesk.mjs'), 'listen', '--forward', `http://localhost:${port}/hooks`];
  const listener = spawn(process.execPath, listen, { cwd: folder, env, stdio: ['ignore', 'ignore', 'pipe'] });
  try {
    await noteOf(listener, 'Listening');
    const child = spawn(command, [program], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] });
    const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
    return { code: code as number, output: output.trim() };
  } finally {
    listener.kill('SIGKILL');
    await once(listener, 'exit');
    await rm(folder, { recursive: true });
  }
}

/** Resolves when a process has written a note that starts with a word. */
async function noteOf({ stderr }: ChildProcess, start: string): Promise<void> {
  let notes = '';
  for await (const part of stderr?.iterator({ destroyOnReturn: false }) ?? []) {
    notes += String(part);
    if (notes.includes(start)) return;
  }
  throw new Error(`The process ended: ${notes}`);
}
