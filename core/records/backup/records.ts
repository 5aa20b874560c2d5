import { count, flag, group, id, literals, nullable, type RecordOf, record, text, time } from '#core/platform/fields';
import { BACKUP_STATUSES, CHECK_STATUSES } from './schema.ts';

/** Times and folder of automatic backups. */
export const BackupSchedule = record('BackupSchedule', {
  isOn: flag('True if backups are created automatically', true),
  folder: text('Folder on the computer that creates the backup', '/var/lib/paydesk/backups'),
  time: text('Time of day, HH:MM', '02:00'),
  timezone: text('Time zone of `time`', 'America/New_York'),
  keep: count('Number of backups to keep; older ones are removed after a new one was verified', 14),
  nextAt: nullable(time('Time of the next backup; null if none is due')),
});
export type BackupSchedule = RecordOf<typeof BackupSchedule>;

export const Backup = record('Backup', {
  backupId: id('bkp', 'ID of the backup'),
  status: literals(BACKUP_STATUSES, 'Status'),
  origin: literals(['schedule', 'hand'], 'Cause of the backup: the schedule, or a request'),
  actor: text('User or job that requested it', 'admin@demo.example'),
  station: nullable(text('Name of the computer that made the file; null before', 'front-desk')),
  folder: nullable(text('Folder of the file', '/var/lib/paydesk/backups')),
  name: nullable(text('Name of the file', 'paydesk-20261121-020000.backup')),
  bytes: nullable(count('Size of the file in bytes', 1_048_576)),
  transactions: nullable(count('Number of transactions in it', 1000)),
  message: nullable(text('Reason of the failure; null if it did not fail', null)),
  createdAt: time('Time of creation'),
  finishedAt: nullable(time('Time of the end; null before')),
  check: group('Result of the restore rehearsal', {
    status: literals(CHECK_STATUSES, 'Status'),
    at: nullable(time('Time of the rehearsal')),
    message: nullable(text('Problem that was found', null)),
    transactions: nullable(count('Number of restored transactions', 1000)),
    auditEntries: nullable(count('Number of restored audit entries', 5000)),
    isAuditValid: nullable(flag('True if no audit entry was changed', true)),
    isLedgerRight: nullable(flag('True if the ledger is balanced', true)),
  }),
});
export type Backup = RecordOf<typeof Backup>;

/** Record that the installation was restored from a backup, and whether automatic charges are still on hold. */
export const Restored = record('Restore', {
  backupCreatedAt: time('Time of the backup'),
  restoredAt: time('Time of the restore'),
  resumedAt: nullable(time('Time at which automatic charges were resumed; null while they are on hold')),
});
export type Restored = RecordOf<typeof Restored>;

const overview = {
  schedule: BackupSchedule,
  last: nullable(Backup, 'The newest completed backup; null if there is none'),
  isUnderWay: flag('True while a backup is created', false),
  restored: nullable(Restored, 'Restore of the installation; null if it was never restored', null),
};
const BackupOverview = group('The overview', overview);
export type BackupOverview = RecordOf<typeof BackupOverview>;
/** The overview as one caller sees it. */
export const ShownBackupOverview = group('The overview', {
  ...overview,
  mayChange: flag('True if the caller may change the schedule', true),
});
