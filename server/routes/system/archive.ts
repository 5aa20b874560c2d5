import { Type } from 'typebox';
import { route, success } from '#server/http';
import { Maybe, named, Success, Text, Timestamp } from '#server/schemas';

const shared = { surface: 'admin', tag: 'Backup', scope: 'installation', path: '/system/archive' } as const;
const write = { ...shared, permission: 'owner:backup' } as const;
const OPERATORS_ONLY = 'Only owners of the first account of an installation can call this.';

const settings = {
  isOn: Type.Boolean({ description: 'true: years are archived automatically' }),
  keepYears: Type.Integer({ description: 'complete calendar years that stay in the database' }),
  folder: Type.String(),
};

const ArchiveOut = named(
  'Archive',
  Type.Object({
    archiveId: Type.String(),
    year: Type.Integer({ description: 'calendar year, UTC' }),
    status: Type.Union(['waiting', 'writing', 'deleting', 'stopped', 'made', 'failed'].map((status) => Type.Literal(status))),
    actor: Type.String(),
    station: Maybe(Type.String({ description: 'name of the computer' })),
    folder: Maybe(Type.String()),
    name: Maybe(Type.String()),
    bytes: Maybe(Type.Integer()),
    entries: Maybe(Type.Integer({ description: 'number of audit entries' })),
    events: Maybe(Type.Integer({ description: 'number of webhook events' })),
    sha256: Maybe(Type.String({ description: 'hash of the file' })),
    message: Maybe(Type.String()),
    createdAt: Timestamp,
    finishedAt: Maybe(Timestamp),
    check: Type.Object({
      status: Type.Union(['none', 'waiting', 'good', 'bad'].map((status) => Type.Literal(status))),
      at: Maybe(Timestamp),
      message: Maybe(Type.String()),
    }),
  }),
);

const overview = route({
  ...shared,
  method: 'GET',
  permission: 'settings:read',
  id: 'admin.archive',
  summary: 'Archives of old audit entries and webhook events',
  description: 'Only users of the whole first account can see archives. `nextYear` is the year that `POST` archives next.',
  response: Success(
    Type.Object({
      ...settings,
      nextYear: Maybe(Type.Integer({ description: 'null if nothing is old enough' })),
      isUnderWay: Type.Boolean(),
      archives: Type.Array(ArchiveOut, { description: 'newest first' }),
      mayChange: Type.Boolean(),
    }),
  ),
  errors: ['RESOURCE_ACCESS_DENIED'],
  run: async ({ core, actor }) => ({
    ...(await core.archives.overview(actor)),
    mayChange: await core.identity.installationAdmins.is(actor, 'owner:backup'),
  }),
  show: success,
});

const change = route({
  ...write,
  method: 'PUT',
  confirms: { level: 'recent' },
  id: 'admin.changeArchive',
  summary: 'Change the settings of archives',
  description: `${OPERATORS_ONLY} \`keepYears\` is 2 to 10; a null \`folder\` is \`archive\` in the data directory.`,
  body: Type.Object({
    isOn: Type.Optional(Type.Boolean()),
    keepYears: Type.Optional(settings.keepYears),
    folder: Type.Optional(Maybe(Text(500))),
  }),
  response: Success(Type.Object(settings)),
  errors: ['RESOURCE_ACCESS_DENIED'],
  run: ({ core, actor, body }) => core.archives.change(actor, body),
  show: success,
});

const begin = route({
  ...write,
  method: 'POST',
  id: 'admin.beginArchive',
  idempotent: false,
  summary: 'Archive the next year now',
  description: `${OPERATORS_ONLY} The archive is made after the response; further years that are old enough follow.`,
  response: Success(ArchiveOut),
  errors: ['RESOURCE_ACCESS_DENIED', 'RESOURCE_CONFLICT', 'SERVICE_UNAVAILABLE'],
  run: ({ core, actor }) => core.archives.begin(actor),
  show: success,
});

const check = route({
  ...write,
  method: 'POST',
  path: '/system/archive/check',
  id: 'admin.checkArchive',
  idempotent: false,
  summary: 'Check an archive',
  description: `${OPERATORS_ONLY} After the response the file is compared with its recorded hash, and each entry and event with the one before it.`,
  body: Type.Object({ archiveId: Text(60) }),
  response: Success(ArchiveOut),
  errors: ['NOT_FOUND', 'RESOURCE_ACCESS_DENIED', 'RESOURCE_CONFLICT'],
  run: ({ core, actor, body }) => core.archives.check(actor, body.archiveId),
  show: success,
});

/** Routes for archives of old audit entries and webhook events (decision records 149 and 153). */
export const adminArchive = [overview, change, begin, check];
