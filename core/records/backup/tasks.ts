import type { Findings } from './examine.ts';
import { type ExportResult, type ExportTask, exportTenant } from './export.ts';
import { type BackupResult, type MakeTask, make } from './make.ts';
import { type CheckTask, check, type RestoreTask, restore } from './restore.ts';
import type { Schemas } from './schemas.ts';

/** A long operation on whole databases, described so that another thread can run it. */
export type Task = MakeTask | CheckTask | RestoreTask | ExportTask;

interface Results {
  make: BackupResult;
  check: Findings;
  restore: Findings;
  export: ExportResult;
}

/** Runs a task in another thread or process. @throws BackupRefused. */
export type RunTask = <Kind extends Task['kind']>(task: Extract<Task, { kind: Kind }>) => Promise<Results[Kind]>;

/** Runs a task in this thread. */
export function runTask(task: Task, schemas: Schemas): Promise<Results[Task['kind']]> {
  switch (task.kind) {
    case 'make':
      return make(task);
    case 'check':
      return check(task, schemas);
    case 'restore':
      return restore(task, schemas);
    default:
      return exportTenant(task);
  }
}
