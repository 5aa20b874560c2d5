import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { timed } from '../support/timings.ts';
import { DEMO_OPTIONS, SEEDED_DATA } from './demo-server.ts';
import type { HostAnswer, HostRequest } from './service-host.ts';
import { forgetSession, type Service } from './session.ts';

/** Kind of the server of a file: the contents of their data directory before the start, and the kind of their sample data. */
export interface ServiceKind {
  readonly prepare: (dataDir: string) => Promise<void>;
  readonly sampleData?: 'sales' | 'business';
}

/** Copies the sample data of this run. */
export async function copySeeded(dataDir: string): Promise<void> {
  const seeded = process.env[SEEDED_DATA];
  if (seeded === undefined) throw new Error('The sample data is missing: global-setup.ts did not run.');
  await timed('sample data: copy', () => cp(seeded, dataDir, { recursive: true }));
}

interface Running {
  readonly file: string;
  readonly service: Service;
  readonly dataDir: string;
}

/**
 * The server of the present test file of a worker. Every file has its own, so that no test depends on what the files before it left, which differ
 * from run to run. One process runs them one after another.
 */
export class FileServices {
  #host: ChildProcess | undefined;
  #running: Running | undefined;

  /** Returns the server of a file with its data directory, which is started for its first test. */
  async of(file: string, { prepare, sampleData = 'sales' }: ServiceKind): Promise<Pick<Running, 'service' | 'dataDir'>> {
    if (this.#running?.file !== file) {
      await this.#stop();
      const dataDir = await mkdtemp(join(tmpdir(), 'paydesk-e2e-'));
      await prepare(dataDir);
      const { baseUrl, credentials } = await timed('server: start for a file', () => this.#ask({ ...DEMO_OPTIONS, dataDir, sampleData }));
      if (baseUrl === undefined || credentials === undefined)
        throw new Error('The server with sample data did not report its credentials.');
      this.#running = { file, service: { baseUrl, ...credentials }, dataDir };
    }
    return this.#running as Running;
  }

  /** Stops the server and the process that runs it. */
  async close(): Promise<void> {
    await this.#stop();
    this.#host?.disconnect();
  }

  async #stop(): Promise<void> {
    const running = this.#running;
    if (running === undefined) return;
    this.#running = undefined;
    forgetSession(running.service);
    await timed('server: stop', () => this.#ask('stop'));
    await rm(running.dataDir, { recursive: true, force: true });
  }

  async #ask(request: HostRequest): Promise<HostAnswer> {
    // Its bundle is complete: global-setup.ts started it.
    this.#host ??= fork(join(import.meta.dirname, 'service-host.ts'), { execArgv: [] });
    const host = this.#host;
    const ended = new AbortController();
    const answer = Promise.race([
      once(host, 'message', { signal: ended.signal }) as Promise<[HostAnswer]>,
      once(host, 'exit', { signal: ended.signal }).then(([code]) => {
        throw new Error(`The process of the servers exited with code ${code}.`);
      }),
    ]);
    host.send(request);
    const [told] = await answer.finally(() => ended.abort());
    if (told.failure !== undefined) throw new Error(told.failure);
    return told;
  }
}
