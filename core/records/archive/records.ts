import { count, flag, group, id, list, literals, nullable, type RecordOf, record, text, time } from '#core/platform/fields';
import { ARCHIVE_CHECK_STATUSES, ARCHIVE_STATUSES } from './schema.ts';

const settings = {
  isOn: flag('True if years are archived automatically', false),
  keepYears: count('Complete calendar years that stay in the database', 3),
  folder: text('Folder of the files', '/var/lib/paydesk/archive'),
};
export const ArchiveSettings = group('The settings', settings);
export type ArchiveSettings = RecordOf<typeof ArchiveSettings>;

export const Archive = record('Archive', {
  archiveId: id('arc', 'ID of the archive'),
  year: count('The file has the oldest audit entries and webhook events up to the end of this calendar year, in UTC', 2023),
  status: literals(ARCHIVE_STATUSES, 'Status'),
  actor: text('User or job that requested it', 'admin@demo.example'),
  station: nullable(text('Name of the computer that made the file; null before', 'front-desk')),
  folder: nullable(text('Folder of the file', '/var/lib/paydesk/archive')),
  name: nullable(text('Name of the file', 'paydesk-2023.archive')),
  bytes: nullable(count('Size of the file in bytes', 1_048_576)),
  entries: nullable(count('Number of audit entries', 5000)),
  events: nullable(count('Number of webhook events', 5000)),
  sha256: nullable(text('Hash of the file', '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08')),
  message: nullable(text('Reason of the failure; null if it did not fail', null)),
  createdAt: time('Time of creation'),
  finishedAt: nullable(time('Time of the end; null before')),
  check: group('Result of the newest check', {
    status: literals(ARCHIVE_CHECK_STATUSES, 'Status'),
    at: nullable(time('Time of the check')),
    message: nullable(text('Problem that was found', null)),
  }),
});
export type Archive = RecordOf<typeof Archive>;

const overview = {
  ...settings,
  nextYear: nullable(count('Year that an archive made now would contain; null if nothing is old enough', 2023)),
  isUnderWay: flag('True while an archive is made', false),
  archives: list(Archive, 'Archives, newest first'),
};
const ArchiveOverview = group('The overview', overview);
export type ArchiveOverview = RecordOf<typeof ArchiveOverview>;
/** The overview as one caller sees it. */
export const ShownArchiveOverview = group('The overview', {
  ...overview,
  mayChange: flag('True if the caller may change the settings', true),
});
