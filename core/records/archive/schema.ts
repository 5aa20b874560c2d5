import { dueColumns, integer, type RowOf, table, text } from '#core/database';
import type { RealTime } from '#core/kernel';

/** Settings of the archive: one row, of the installation's first tenant. */
export const ARCHIVE_SETTINGS = table(
  'archive_settings',
  {
    tenant_id: text,
    id: text,
    is_on: integer,
    /** Number of complete calendar years that stay in the database. */
    keep_years: integer,
    /** Null means the folder `archive` of the data directory. */
    folder: text.optional,
    updated_at: text,
    ...dueColumns<RealTime>(),
  },
  {
    key: ['tenant_id', 'id'],
    indexes: [{ name: 'archive_settings_due', columns: ['tenant_id', 'due_ms'], where: 'due_ms IS NOT NULL' }],
  },
);

export type ArchiveSettingsRow = RowOf<typeof ARCHIVE_SETTINGS>;

/**
 * Progress of an archive. `waiting` and `writing`: nothing was deleted. `deleting`: the file is complete and recorded. `stopped`: the file
 * could not be verified while entries were being deleted, so that the rest of them stays in the database.
 */
export const ARCHIVE_STATUSES = ['waiting', 'writing', 'deleting', 'stopped', 'made', 'failed'] as const;
type ArchiveStatus = (typeof ARCHIVE_STATUSES)[number];
/** Statuses of archives whose file is complete: their entries are, or are being, deleted from the database. */
export const RECORDED = ['deleting', 'stopped', 'made'] as const satisfies readonly ArchiveStatus[];

export const ARCHIVE_CHECK_STATUSES = ['none', 'waiting', 'good', 'bad'] as const;
type ArchiveCheckStatus = (typeof ARCHIVE_CHECK_STATUSES)[number];

/** Archives of the whole installation, one for each calendar year; rows of its first tenant. */
export const ARCHIVES = table(
  'archives',
  {
    tenant_id: text,
    id: text,
    year: integer,
    status: text.of<ArchiveStatus>(),
    actor: text,
    /** Name of the computer that made the file and has the folder. */
    station: text.optional,
    folder: text.optional,
    name: text.optional,
    /** Hash of the file. */
    sha256: text.optional,
    bytes: integer.optional,
    /** Number of audit entries. */
    entries: integer.optional,
    /** Number of webhook events. */
    events: integer.optional,
    /** Reason of the failure, as a sentence. */
    message: text.optional,
    check_status: text.of<ArchiveCheckStatus>(),
    checked_at: text.optional,
    check_message: text.optional,
    created_at: text,
    finished_at: text.optional,
    ...dueColumns<RealTime>(),
  },
  { key: ['tenant_id', 'id'], indexes: [{ name: 'archives_due', columns: ['tenant_id', 'due_ms'], where: 'due_ms IS NOT NULL' }] },
);

export type ArchiveRow = RowOf<typeof ARCHIVES>;

/** Kinds of rows in an archive, in the order of the file. */
export const CONTENTS = ['events', 'audit'] as const;
export type Contents = (typeof CONTENTS)[number];

/** Frames of the archive files, each with successive rows of one kind and tenant, so that a page is read without the rest of the file. */
export const ARCHIVED_FRAMES = table(
  'archived_frames',
  {
    tenant_id: text,
    year: integer,
    /** Number of the frame in the file. */
    frame: integer,
    contents: text.of<Contents>(),
    position: integer,
    first_n: integer,
    last_n: integer,
    /** Hash of the entry before the first one. Empty for events, which have no hashes. */
    previous_hash: text,
    last_hash: text,
  },
  { key: ['tenant_id', 'year', 'frame'] },
);

export type ArchivedFrameRow = RowOf<typeof ARCHIVED_FRAMES>;
