import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Type } from 'typebox';
import { flag } from '#core/platform/fields';
import { Backup, BackupSchedule, Restored, ShownBackupOverview } from '#core/records/backup';
import { Paginated, route, Success } from '#server/http';
import { asServiceError } from '#server/operation/setup';
import { DateQuery, datedPageFrom, IdIn, Maybe, oneOf, PageQuery, Text } from '#server/schemas';

const shared = { surface: 'admin', tag: 'Backup', scope: 'installation' } as const;
const read = { ...shared, method: 'GET', permission: 'settings:read' } as const;
const write = { ...shared, method: 'POST', permission: 'owner:backup' } as const;
const FIRST_ACCOUNT_ONLY = 'Backups concern the whole installation: only users of the whole first account can see them.';
const OPERATORS_ONLY = 'Only owners of the first account of an installation can call this.';

const overview = route({
  ...read,
  path: '/system/backup',
  id: 'admin.backup',
  summary: 'Backup schedule and the newest backup',
  description: `${FIRST_ACCOUNT_ONLY} \`restored\` is set if the installation was restored from a backup; while \`resumedAt\` is null, automatic charges are on hold. \`mayChange\`: whether the caller may change the schedule and start backups.`,
  response: Success(ShownBackupOverview),
  errors: ['RESOURCE_ACCESS_DENIED'],
  run: async ({ core, actor }) => ({
    ...(await core.backups.overview(actor)),
    mayChange: await core.identity.installationAdmins.is(actor, 'owner:backup'),
  }),
});

const change = route({
  ...shared,
  method: 'PUT',
  permission: 'owner:backup',
  path: '/system/backup',
  confirms: { level: 'recent' },
  id: 'admin.changeBackup',
  summary: 'Change the backup schedule',
  description: `${OPERATORS_ONLY} Missing fields stay unchanged. The folder must not belong to the operating system, must accept files, and its disk must have room for a fifth of the database; null is the folder \`backups\` of the data directory.`,
  body: Type.Object({
    isOn: Type.Optional(flag('true if backups are made by schedule')),
    folder: Type.Optional(Maybe(Text(500, 'an absolute path on the computer that runs Paydesk'))),
    time: Type.Optional(Text(5, 'HH:MM')),
    keep: Type.Optional(Type.Integer({ description: 'a whole number from 1 to 1000' })),
  }),
  response: Success(BackupSchedule),
  errors: ['RESOURCE_ACCESS_DENIED'],
  run: ({ core, actor, body }) => core.backups.changeSchedule(actor, body),
});

const list = route({
  ...read,
  path: '/system/backups',
  id: 'admin.listBackups',
  summary: 'Backups, newest first',
  description: FIRST_ACCOUNT_ONLY,
  query: Type.Object({ ...PageQuery, ...DateQuery, status: oneOf('waiting', 'running', 'made', 'failed') }),
  response: Paginated(Backup),
  errors: ['RESOURCE_ACCESS_DENIED', 'INVALID_DATE'],
  run: async ({ core, actor, query }) => {
    const status = query.status as Backup['status'] | undefined;
    return core.backups.page(actor, { status }, await datedPageFrom(core, actor, query));
  },
});

const begin = route({
  ...write,
  path: '/system/backup',
  id: 'admin.beginBackup',
  idempotent: false,
  summary: 'Create a backup now',
  description: `${OPERATORS_ONLY} The backup is created after the response, and its restore is tested; the list of backups shows the result. RESOURCE_CONFLICT while another backup is being created.`,
  response: Success(Backup),
  errors: ['RESOURCE_ACCESS_DENIED', 'RESOURCE_CONFLICT', 'SERVICE_UNAVAILABLE'],
  run: ({ core, actor }) => core.backups.begin(actor),
});

const check = route({
  ...write,
  path: '/system/backup/check',
  id: 'admin.checkBackup',
  idempotent: false,
  summary: 'Test the restore of a backup',
  description: `${OPERATORS_ONLY} Tests the newest backup, or that of \`backupId\`. After the response the backup is restored to a separate place, its rows are counted, the ledger is summed and the audit logs are verified.`,
  body: Type.Object({ backupId: Type.Optional(IdIn('bkp', 'backup')) }),
  response: Success(Backup),
  errors: ['NOT_FOUND', 'RESOURCE_ACCESS_DENIED', 'RESOURCE_CONFLICT'],
  run: ({ core, actor, body }) => core.backups.check(actor, body.backupId),
});

const resume = route({
  ...write,
  path: '/system/backup/resume',
  id: 'admin.resumeAfterRestore',
  idempotent: false,
  summary: 'Resume automatic charges after a restore',
  description: `${OPERATORS_ONLY} Until then subscriptions are not billed and declined refunds are not retried, because charges made after the backup are unknown here. Reconcile with the processor first.`,
  response: Success(Restored),
  errors: ['RESOURCE_ACCESS_DENIED', 'RESOURCE_CONFLICT'],
  run: ({ core, actor }) => core.backups.resume(actor),
});

const exportData = route({
  ...write,
  permission: 'owner:export',
  scope: 'tenant',
  path: '/system/export',
  id: 'admin.exportData',
  summary: "Export the account's data",
  description:
    'Only owners can call this. A tar.gz of JSON Lines, one folder per table, with a manifest: all data of the account at one point in time. Tokens are included; card numbers, secrets and hashes are not.',
  contentType: 'application/gzip',
  response: Type.String({ description: 'the archive' }),
  errors: ['RESOURCE_CONFLICT', 'SERVICE_UNAVAILABLE'],
  run: async ({ core, actor, reply }) => {
    const file = await core.backups.exportTenant(actor).catch((error: unknown) => {
      throw asServiceError(error);
    });
    const { size } = await stat(file.path).catch(async (error: unknown) => {
      await file.dispose();
      throw error;
    });
    const content = createReadStream(file.path);
    content.once('close', () => void file.dispose());
    reply
      .type('application/gzip')
      .header('content-disposition', 'attachment; filename="paydesk-export.tar.gz"')
      .header('content-length', size);
    await reply.send(content);
  },
});

/** Routes for backups of the installation and the export of an account. */
export const adminBackup = [overview, change, list, begin, check, resume, exportData];
