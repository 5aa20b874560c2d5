import { parentPort, Worker, workerData } from 'node:worker_threads';
import { findFaults, findStructureFault } from '#core/database/integrity';
import { CHECK_ARGUMENT, type IntegrityTask } from './check-process.ts';
import { reportReady } from './task-thread.ts';

// Without a parent, the file is loaded only for its types.
if (parentPort !== null) {
  reportReady();
  const { files, isQuick = false } = workerData as IntegrityTask;
  parentPort.postMessage(files.flatMap(isQuick ? findStructureFault : findFaults));
} else if (process.send !== undefined && process.argv[2] === CHECK_ARGUMENT) {
  process.once('message', (task: IntegrityTask) => checkInThread(task));
  // The server has ended. Only a signal ends the process during a statement of SQLite.
  process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'));
}

/** Checks files in a thread of this process, so that the process notices the end of the server meanwhile. */
function checkInThread(task: IntegrityTask): void {
  const worker = new Worker(process.argv[1] ?? '', { workerData: task, execArgv: [] });
  worker.on('message', (message: unknown) => {
    if (Array.isArray(message)) process.send?.(message, () => process.exit());
  });
}
