import { parentPort, workerData } from 'node:worker_threads';
import { findFaults } from '#core/platform/integrity';
import { CHECK_ARGUMENT } from './check-process.ts';
import { reportReady } from './task-thread.ts';

/** Files that the thread or the process of an integrity check reads. */
export interface IntegrityTask {
  readonly files: readonly string[];
}

// Without a parent, the file is loaded only for its types.
if (parentPort !== null) {
  reportReady();
  parentPort.postMessage((workerData as IntegrityTask).files.flatMap(findFaults));
} else if (process.send !== undefined && process.argv[2] === CHECK_ARGUMENT) {
  process.once('message', ({ files }: IntegrityTask) => {
    process.send?.(files.flatMap(findFaults), () => process.disconnect());
  });
  // The server has ended.
  process.once('disconnect', () => process.exit());
}
