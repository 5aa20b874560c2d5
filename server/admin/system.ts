import { route, success } from '#server/http';
import { Success, SystemStatusOut } from '#server/schemas';

const status = route({
  surface: 'admin',
  scope: 'merchant',
  tag: 'System',
  method: 'GET',
  permission: 'settings:read',
  path: '/system/status',
  id: 'admin.systemStatus',
  summary: 'System status',
  description:
    'Each item has a state, one sentence and, if something can be done, one action. Server, database, disk, clock, backup, keys and public address concern the whole installation: only users of its first account who act for all of it see them. A caller of one merchant sees the figures of that merchant only. Read from indexes and counters, so that it may be polled every few seconds.',
  answer: Success(SystemStatusOut),
  run: ({ core, actor }) => core.status.of(actor),
  show: success,
});

/** The System screen (experience 2.18). */
export const adminSystem = [status];
