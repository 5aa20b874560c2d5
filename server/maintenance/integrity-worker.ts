import { parentPort, workerData } from 'node:worker_threads';
import { findFaults } from '#core/platform/integrity';

/** Files that the thread of an integrity check reads. */
export interface IntegrityTask {
  readonly files: readonly string[];
}

// Without a parent thread the file is loaded only for its types.
parentPort?.postMessage((workerData as IntegrityTask).files.flatMap(findFaults));
