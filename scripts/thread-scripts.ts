/** Scripts of the threads in which backups, integrity checks, copies of the log, heavy reads and the reading of received files run. Each is a file of its own. */
export const THREAD_SCRIPTS = {
  'document-worker': 'core/platform/received-files/document-worker.ts',
  'backup-worker': 'server/operation/maintenance/backup-worker.ts',
  'integrity-worker': 'server/operation/maintenance/integrity-worker.ts',
  'log-worker': 'server/operation/maintenance/log-worker.ts',
  'reader-worker': 'server/operation/maintenance/reader-worker.ts',
};
