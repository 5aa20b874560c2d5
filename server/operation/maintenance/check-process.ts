import { fork } from 'node:child_process';
import type { FileFault } from '#core/database/integrity';

/** Argument of the script of integrity checks in a process of its own. */
export const CHECK_ARGUMENT = 'check-files';

/** Files that the thread or the process of an integrity check reads. */
export interface IntegrityTask {
  readonly files: readonly string[];
  /** True to read the structure of the files up to the first fault; the indexes are then not compared with their tables. */
  readonly isQuick?: boolean;
}

/** A check of files in a process of its own. */
interface CheckProcess {
  readonly result: Promise<FileFault[]>;
  /** Ends the check at once, also in the middle of a statement. */
  stop(): void;
}

/**
 * Starts an integrity check in a child process. SQLite checks a table in one statement, which takes half a minute for a table of gigabytes and cannot be
 * ended in a thread; a process that only reads can be killed at any moment.
 */
export function startCheckProcess(script: string, task: IntegrityTask): CheckProcess {
  const child = fork(script, [CHECK_ARGUMENT], {
    execArgv: [],
    // In the desktop application, the program is Electron.
    env: { ...process.env, ...(process.versions.electron && { ELECTRON_RUN_AS_NODE: '1' }) },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const result = new Promise<FileFault[]>((resolve, reject) => {
    let faults: FileFault[] | null = null;
    child.once('message', (found) => {
      faults = found as FileFault[];
    });
    child.once('error', reject);
    child.once('exit', (code) => {
      if (faults !== null) resolve(faults);
      else reject(new Error(code === null ? 'the task was aborted' : `the integrity check ended with the code ${code}`));
    });
    child.send(task, (error) => error && reject(error));
  });
  return { result, stop: () => void child.kill('SIGKILL') };
}
