import { parentPort, workerData } from 'node:worker_threads';
import { SANDBOX_MIGRATIONS } from '#core/processing/gateways';
import { BackupRefused, runTask, type Task } from '#core/records/backup';
import { MIGRATIONS } from '#migrations';
import { reportReady } from './task-thread.ts';

/** Message that the thread of a task responds with. */
export type TaskResult =
  | { readonly result: unknown }
  | { readonly refused: { readonly reason: string; readonly message: string; readonly cause: string | undefined } }
  | { readonly failed: string };

function failureOf(error: unknown): TaskResult {
  if (!(error instanceof BackupRefused)) return { failed: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  const { reason, message, cause } = error;
  return { refused: { reason, message, cause: cause instanceof Error ? cause.stack : undefined } };
}

// If the file is loaded only for its types, there is no task.
if (parentPort !== null) {
  const port = parentPort;
  reportReady();
  runTask(workerData as Task, { service: MIGRATIONS, sandbox: SANDBOX_MIGRATIONS }).then(
    (result) => port.postMessage({ result } satisfies TaskResult),
    (error: unknown) => port.postMessage(failureOf(error)),
  );
}
