import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { ApiFixture } from '../../support/server.ts';
import { ROOT } from '../../support/sources.ts';

const TLS = join(ROOT, 'test/support/tls');

/** Runs a program of `examples/` as its README describes, against a running server. Returns its exit code and output. */
export async function runExample(command: string, program: string, { baseUrl, credentials }: ApiFixture) {
  const folder = await mkdtemp(join(tmpdir(), 'paydesk-example-'));
  const readyFile = join(folder, 'ready.json');
  await writeFile(readyFile, JSON.stringify({ baseUrl, credentials }));
  const env = { ...process.env, READY_FILE: readyFile, TLS_KEY: join(TLS, 'receiver-key.pem'), TLS_CERT: join(TLS, 'receiver.pem') };
  const child = spawn(command, [join(ROOT, 'examples', program)], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  await rm(folder, { recursive: true });
  return { code: code as number, output: output.trim() };
}
