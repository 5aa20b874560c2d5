export { TaskThreads } from './backup-tasks.ts';
export { IntegrityChecks } from './integrity-checks.ts';
