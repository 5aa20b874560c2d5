import { parentPort, workerData } from 'node:worker_threads';
import { findFaults } from '#core/platform/integrity';
import { reportReady } from './task-thread.ts';

/** Files that the thread of an integrity check reads. */
export interface IntegrityTask {
  readonly files: readonly string[];
}

// Without a parent thread the file is loaded only for its types.
if (parentPort !== null) {
  reportReady();
  parentPort.postMessage((workerData as IntegrityTask).files.flatMap(findFaults));
}
