export { TaskThreads } from './backup-tasks.ts';
export { releaseIdleMemory } from './idle-memory.ts';
export { IntegrityChecks } from './integrity-checks.ts';
