import type { Findings } from './examine.ts';
import { type Exported, type ExportTask, exportTenant } from './export.ts';
import { type Made, type MakeTask, make } from './make.ts';
import { type CheckTask, check, type RestoreTask, restore } from './restore.ts';
import type { Schemas } from './schemas.ts';

/** Long work on whole databases, described so that another thread can do it. */
export type Task = MakeTask | CheckTask | RestoreTask | ExportTask;

interface Results {
  make: Made;
  check: Findings;
  restore: Findings;
  export: Exported;
}

/** Runs a task in another thread or process. @throws BackupRefused. */
export type RunTask = <Kind extends Task['kind']>(task: Extract<Task, { kind: Kind }>) => Promise<Results[Kind]>;

/** Carries a task out here. */
export function carryOut(task: Task, schemas: Schemas): Promise<Results[Task['kind']]> {
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
