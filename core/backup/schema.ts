import { table } from '#core/database';
import type { DueRow } from '#core/platform/scheduling';

/** When backups are made by themselves, and where they go. One row, of the installation's first tenant. */
export interface BackupScheduleRow extends DueRow {
  is_on: number;
  /** null is the folder `backups` of the data directory. */
  folder: string | null;
  /** HH:MM in the zone of the tenant's first merchant. */
  time: string;
  keep: number;
  updated_at: string;
}

export const BACKUP_SCHEDULES = table<BackupScheduleRow>(
  'backup_schedules',
  {
    tenant_id: 'text',
    id: 'text',
    is_on: 'integer',
    folder: 'text?',
    time: 'text',
    keep: 'integer',
    due_ms: 'integer?',
    lease_ms: 'integer',
    fence: 'integer',
    updated_at: 'text',
  },
  { key: ['tenant_id', 'id'] },
);

export type BackupStatus = 'waiting' | 'running' | 'made' | 'failed';
export type CheckStatus = 'none' | 'waiting' | 'running' | 'good' | 'bad';

/** A backup that was asked for, by its schedule or by hand. */
export interface BackupRow extends DueRow {
  status: BackupStatus;
  origin: 'schedule' | 'hand';
  actor: string;
  /** The machine that made it; its folder is that machine's. */
  station: string | null;
  folder: string | null;
  name: string | null;
  bytes: number | null;
  transactions: number | null;
  row_count: number | null;
  /** Why it failed, in words. */
  message: string | null;
  check_status: CheckStatus;
  checked_at: string | null;
  check_message: string | null;
  /** JSON of what the check found. */
  findings: string | null;
  created_at: string;
  finished_at: string | null;
}

export const BACKUPS = table<BackupRow>(
  'backups',
  {
    tenant_id: 'text',
    id: 'text',
    status: 'text',
    origin: 'text',
    actor: 'text',
    station: 'text?',
    folder: 'text?',
    name: 'text?',
    bytes: 'integer?',
    transactions: 'integer?',
    row_count: 'integer?',
    message: 'text?',
    check_status: 'text',
    checked_at: 'text?',
    check_message: 'text?',
    findings: 'text?',
    created_at: 'text',
    finished_at: 'text?',
    due_ms: 'integer?',
    lease_ms: 'integer',
    fence: 'integer',
  },
  { key: ['tenant_id', 'id'], indexes: [{ name: 'backups_due', columns: ['tenant_id', 'due_ms'], where: 'due_ms IS NOT NULL' }] },
);

/** That the installation came from a backup. Until a person has looked, nothing is charged by itself. */
export interface RestoreRow {
  tenant_id: string;
  id: string;
  backup_created_at: string;
  restored_at: string;
  resumed_at: string | null;
  resumed_by: string | null;
}

export const RESTORES = table<RestoreRow>(
  'restores',
  { tenant_id: 'text', id: 'text', backup_created_at: 'text', restored_at: 'text', resumed_at: 'text?', resumed_by: 'text?' },
  { key: ['tenant_id', 'id'] },
);
