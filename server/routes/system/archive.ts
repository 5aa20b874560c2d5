import { Type } from 'typebox';
import { flag } from '#core/platform/fields';
import { Archive, ArchiveSettings, ShownArchiveOverview } from '#core/records/archive';
import { route, Success } from '#server/http';
import { IdIn, Maybe, Text } from '#server/schemas';

const shared = { surface: 'admin', tag: 'Backup', scope: 'installation', path: '/system/archive' } as const;
const write = { ...shared, permission: 'owner:backup' } as const;
const OPERATORS_ONLY = 'Only owners of the first account of an installation can call this.';

const overview = route({
  ...shared,
  method: 'GET',
  permission: 'settings:read',
  id: 'admin.archive',
  summary: 'Archives of old audit entries and webhook events',
  description: 'Only users of the whole first account can see archives. `nextYear` is the year that `POST` archives next.',
  response: Success(ShownArchiveOverview),
  errors: ['RESOURCE_ACCESS_DENIED'],
  run: async ({ core, actor }) => ({
    ...(await core.archives.overview(actor)),
    mayChange: await core.identity.installationAdmins.is(actor, 'owner:backup'),
  }),
});

const change = route({
  ...write,
  method: 'PUT',
  confirms: { level: 'recent' },
  id: 'admin.changeArchive',
  summary: 'Change the settings of archives',
  description: `${OPERATORS_ONLY} \`keepYears\` is 2 to 10; a null \`folder\` is \`archive\` in the data directory.`,
  body: Type.Object({
    isOn: Type.Optional(flag('true if old years are archived')),
    keepYears: Type.Optional(ArchiveSettings.properties.keepYears),
    folder: Type.Optional(Maybe(Text(500, 'Folder of the archives'))),
  }),
  response: Success(ArchiveSettings),
  errors: ['RESOURCE_ACCESS_DENIED'],
  run: ({ core, actor, body }) => core.archives.change(actor, body),
});

const begin = route({
  ...write,
  method: 'POST',
  id: 'admin.beginArchive',
  idempotent: false,
  summary: 'Archive the next year now',
  description: `${OPERATORS_ONLY} The archive is made after the response; further years that are old enough follow.`,
  response: Success(Archive),
  errors: ['RESOURCE_ACCESS_DENIED', 'RESOURCE_CONFLICT', 'SERVICE_UNAVAILABLE'],
  run: ({ core, actor }) => core.archives.begin(actor),
});

const check = route({
  ...write,
  method: 'POST',
  path: '/system/archive/check',
  id: 'admin.checkArchive',
  idempotent: false,
  summary: 'Check an archive',
  description: `${OPERATORS_ONLY} After the response the file is compared with its recorded hash, and each entry and event with the one before it.`,
  body: Type.Object({ archiveId: IdIn('arc', 'archive') }),
  response: Success(Archive),
  errors: ['NOT_FOUND', 'RESOURCE_ACCESS_DENIED', 'RESOURCE_CONFLICT'],
  run: ({ core, actor, body }) => core.archives.check(actor, body.archiveId),
});

/** Routes for archives of old audit entries and webhook events (decision records 149 and 153). */
export const adminArchive = [overview, change, begin, check];
