import { refused, type Steps } from '#core/kernel';
import type { ImportStatus } from './records.ts';

const conflict = (message: string) => refused('RESOURCE_CONFLICT', message);
const READING = conflict('The file of this import is still being read.');
const DONE = conflict('This import has finished.');
const DISCARDED = conflict('This import was discarded.');

/** Transitions of an import. A running import can be stopped and continued. */
export const STEPS: Steps<ImportStatus, 'run' | 'stop' | 'finish' | 'discard'> = {
  reading: { run: READING, stop: READING, finish: READING, discard: READING },
  ready: { run: 'running', stop: conflict('This import is not running.'), finish: READING, discard: 'discarded' },
  running: {
    run: conflict('This import is running already.'),
    stop: 'stopped',
    finish: 'done',
    discard: conflict('This import is running. Stop it before you discard it.'),
  },
  stopped: {
    run: 'running',
    stop: conflict('This import is not running.'),
    finish: conflict('This import is not running.'),
    discard: 'discarded',
  },
  done: { run: DONE, stop: DONE, finish: DONE, discard: DONE },
  discarded: { run: DISCARDED, stop: DISCARDED, finish: DISCARDED, discard: DISCARDED },
};
