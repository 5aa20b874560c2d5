import { SystemStatus } from '#core/operation/status';
import { route, Success } from '#server/http';

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
    'Each item has a state, one sentence and, if something can be done, one action. Server, database, replication, disk, clock, backup, keys and public address concern the whole installation: only users of the whole first account see them. A caller of one merchant sees the figures of that merchant only. The status is read from indexes and counters, so it can be polled every few seconds.',
  response: Success(SystemStatus),
  run: ({ core, actor }) => core.status.statusFor(actor),
});

/** Route for the System screen. */
export const adminSystem = [status];
