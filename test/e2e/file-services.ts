import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { timed } from '../support/timings.ts';
import { SEEDED_DATA, startService } from './demo-server.ts';
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
  readonly stop: () => Promise<void>;
}

/**
 * The server of the present test file of a worker. Every file has its own, so that no test depends on what the files before it left, which differ
 * from run to run.
 */
export class FileServices {
  readonly #beforeStop: () => Promise<void>;
  #running: Running | undefined;

  constructor(beforeStop: () => Promise<void>) {
    this.#beforeStop = beforeStop;
  }

  /** Returns the server of a file with its data directory, which is started for its first test. */
  async of(file: string, { prepare, sampleData }: ServiceKind): Promise<Pick<Running, 'service' | 'dataDir'>> {
    if (this.#running?.file !== file) {
      await this.close();
      const dataDir = await mkdtemp(join(tmpdir(), 'paydesk-e2e-'));
      await prepare(dataDir);
      const { ready, stop } = await startService(dataDir, sampleData);
      if (ready.credentials === undefined) throw new Error('The server with sample data did not report its credentials.');
      this.#running = { file, service: { baseUrl: ready.baseUrl, ...ready.credentials }, dataDir, stop };
    }
    return this.#running as Running;
  }

  async close(): Promise<void> {
    const running = this.#running;
    if (running === undefined) return;
    this.#running = undefined;
    await this.#beforeStop();
    forgetSession(running.service);
    await running.stop();
    await rm(running.dataDir, { recursive: true, force: true });
  }
}
