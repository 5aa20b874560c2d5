import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { TaskThreads } from '#server/maintenance';
import { until } from '../../support/until.ts';

/** A thread that loads slowly, leaves a mark when it has loaded, and then works without end. */
const SLOW_THREAD = `
  import { existsSync, writeFileSync } from 'node:fs';
  import { join } from 'node:path';
  import { parentPort } from 'node:worker_threads';
  const here = import.meta.dirname;
  writeFileSync(join(here, 'started'), '');
  const loading = setInterval(() => {
    if (!existsSync(join(here, 'may-load'))) return;
    clearInterval(loading);
    writeFileSync(join(here, 'loaded'), '');
    parentPort.postMessage('ready');
    setInterval(() => undefined, 1_000);
  }, 5);
`;

describe('threads of long tasks', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'paydesk-threads-'));
    await writeFile(join(folder, 'integrity-worker.js'), SLOW_THREAD);
    await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const at = (name: string) => join(folder, name);

  test.each<['the signal' | 'the end of the server']>([['the signal'], ['the end of the server']])(
    '%s ends a thread only after it has loaded the native module, whose loading cannot be interrupted',
    async (cause) => {
      const threads = new TaskThreads(folder);
      const controller = new AbortController();
      const task = threads.findFaults([], controller.signal);
      const ended = expect(task).rejects.toThrow('the task was aborted');
      await until('the thread to start', () => existsSync(at('started')));
      const stopped = cause === 'the signal' ? controller.abort() : threads.stop();
      await writeFile(at('may-load'), '');
      await ended;
      await stopped;
      expect(existsSync(at('loaded'))).toBe(true);
    },
  );
});
