import { Type } from 'typebox';
import { Recording, ReplayReport } from '#core/operation/sandbox';
import { literals } from '#core/platform/fields';
import { runReplayed } from '#server/hooks';
import { Paginated, receiveUpload, route, Success } from '#server/http';
import { DateQuery, Deleted, datedPageFrom, PageQuery, Params } from '#server/schemas';

const shared = { surface: 'admin', tag: 'Sandbox', scope: 'tenant' } as const;
const read = { ...shared, method: 'GET', permission: 'settings:read' } as const;
const write = { ...shared, permission: 'settings:write' } as const;
const errors = ['NOT_FOUND', 'RESOURCE_CONFLICT', 'MERCHANT_NOT_AUTHORIZED'] as const;
const FILE_BYTES_MAX = 32 * 1024 * 1024;

const start = route({
  ...write,
  method: 'POST',
  path: '/sandbox/recordings',
  id: 'admin.startSandboxRecording',
  summary: 'Record the requests of a sandbox account',
  description:
    'Records every request of the Public and SDK surfaces and every change of the Admin surface, with its response and events, until it is stopped. Cards are recorded by name, and requests with a password are listed without their content.',
  created: true,
  body: Type.Object({
    name: Type.String({ minLength: 1, maxLength: 100, description: 'a name of 1 to 100 characters', examples: ['Refund twice'] }),
  }),
  response: Success(Recording),
  errors,
  run: ({ core, actor, body }) => core.sandbox.recordings.start(actor, body.name),
});

const list = route({
  ...read,
  path: '/sandbox/recordings',
  id: 'admin.listSandboxRecordings',
  summary: 'Recordings, newest first',
  description: 'Not available on a live account.',
  query: Type.Object({ ...PageQuery, ...DateQuery }),
  response: Paginated(Recording),
  errors: ['NOT_FOUND', 'INVALID_DATE'],
  run: async ({ core, actor, query }) => core.sandbox.recordings.page(actor, await datedPageFrom(core, actor, query)),
});

const get = route({
  ...read,
  path: '/sandbox/recordings/:id',
  id: 'admin.getSandboxRecording',
  summary: 'One recording',
  description: 'Not available on a live account.',
  params: Params('id'),
  response: Success(Recording),
  errors: ['NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED'],
  run: ({ core, actor, params }) => core.sandbox.recordings.get(actor, params.id),
});

const stop = route({
  ...write,
  method: 'POST',
  path: '/sandbox/recordings/:id/stop',
  id: 'admin.stopSandboxRecording',
  summary: 'Stop a recording and write its file',
  description: 'The file can be downloaded afterwards.',
  params: Params('id'),
  response: Success(Recording),
  errors,
  run: ({ core, actor, params }) => core.sandbox.recordings.stop(actor, params.id),
});

const download = route({
  ...read,
  path: '/sandbox/recordings/:id/file',
  id: 'admin.downloadSandboxRecording',
  summary: 'File of a stopped recording as JSON Lines',
  description:
    'The first line is a header. Each further line is a request with its response and events: IDs as names such as `$txn1`, times relative to the start, cards as `$card(visa)`.',
  params: Params('id'),
  contentType: 'application/x-ndjson',
  response: Type.String(),
  errors,
  run: async ({ core, actor, params, reply }) => {
    const lines = await core.sandbox.recordings.lines(actor, params.id);
    return reply
      .type('application/x-ndjson; charset=utf-8')
      .header('content-disposition', 'attachment; filename="recording.jsonl"')
      .send(`${lines.join('\n')}\n`);
  },
});

const remove = route({
  ...write,
  method: 'DELETE',
  path: '/sandbox/recordings/:id',
  id: 'admin.deleteSandboxRecording',
  summary: 'Delete a recording',
  description: 'Its file is deleted too.',
  params: Params('id'),
  response: Success(Deleted),
  errors: ['NOT_FOUND'],
  run: async ({ core, actor, params }) => {
    await core.sandbox.recordings.remove(actor, params.id);
    return params.id;
  },
  show: (id) => ({ id, deleted: true }),
});

const REPLAY_FORM = {
  file: 'file',
  bytesMax: FILE_BYTES_MAX,
  fields: Type.Object({
    reset: Type.Optional(literals(['true', 'false'], 'true deletes the data first')),
  }),
} as const;

const replay = route({
  ...write,
  method: 'POST',
  path: '/sandbox/replays',
  id: 'admin.replaySandboxRecording',
  summary: 'Replay a recording and compare it',
  description:
    'Runs the steps one after another with the permissions of the caller, at the same distances in time, for which it moves the test clock. It ends at the first step whose status, response or events differ. With `reset` set to `true` the data of the account is deleted first.',
  upload: REPLAY_FORM,
  response: Success(ReplayReport),
  errors: ['NOT_FOUND'],
  run: async ({ core, actor, principal, request, reply }) => {
    const { file, fields } = await receiveUpload(request, actor.tenantId, REPLAY_FORM);
    try {
      const call = { core, routes: request.server.routes, request, reply, actor, principal };
      return await core.sandbox.replay(actor, file.text(), fields.reset === 'true', (replayed) => runReplayed(call, replayed));
    } finally {
      await file.dispose();
    }
  },
});

export const adminSandboxRecordings = [start, list, get, stop, download, remove, replay];
