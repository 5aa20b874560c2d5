import { dueColumns, integer, type RowOf, table, text } from '#core/database';
import type { RealTime } from '#core/kernel';

/** Times and folder of automatic backups: one row, of the installation's first tenant. */
export const BACKUP_SCHEDULES = table(
  'backup_schedules',
  {
    tenant_id: text,
    id: text,
    is_on: integer,
    /** Null means the folder `backups` of the data directory. */
    folder: text.optional,
    /** HH:MM in the zone of the tenant's first merchant. */
    time: text,
    keep: integer,
    ...dueColumns<RealTime>(),
    updated_at: text,
  },
  { key: ['tenant_id', 'id'] },
);

export type BackupScheduleRow = RowOf<typeof BACKUP_SCHEDULES>;

export const BACKUP_STATUSES = ['waiting', 'running', 'made', 'failed'] as const;
export type BackupStatus = (typeof BACKUP_STATUSES)[number];
export const CHECK_STATUSES = ['none', 'waiting', 'running', 'good', 'bad'] as const;
type CheckStatus = (typeof CHECK_STATUSES)[number];

/** Backups that were requested by the schedule or manually. */
export const BACKUPS = table(
  'backups',
  {
    tenant_id: text,
    id: text,
    status: text.of<BackupStatus>(),
    origin: text.of<'schedule' | 'hand'>(),
    actor: text,
    /** Name of the computer that made the backup and that has the folder. */
    station: text.optional,
    folder: text.optional,
    name: text.optional,
    bytes: integer.optional,
    transactions: integer.optional,
    row_count: integer.optional,
    /** Reason of the failure, as a sentence. */
    message: text.optional,
    check_status: text.of<CheckStatus>(),
    checked_at: text.optional,
    check_message: text.optional,
    /** JSON of the findings of the restore rehearsal. */
    findings: text.optional,
    created_at: text,
    finished_at: text.optional,
    ...dueColumns<RealTime>(),
  },
  { key: ['tenant_id', 'id'], indexes: [{ name: 'backups_due', columns: ['tenant_id', 'due_ms'], where: 'due_ms IS NOT NULL' }] },
);

export type BackupRow = RowOf<typeof BACKUPS>;

/** Records that the installation was restored from a backup. Until a person confirms it, nothing is charged automatically. */
export const RESTORES = table(
  'restores',
  {
    tenant_id: text,
    id: text,
    backup_created_at: text,
    restored_at: text,
    resumed_at: text.optional,
    resumed_by: text.optional,
  },
  { key: ['tenant_id', 'id'] },
);
