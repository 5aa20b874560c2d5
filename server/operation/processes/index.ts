import cluster from 'node:cluster';
import { ProcessGroup } from './group.ts';
import { type DownMessage, ROLE_VARIABLE, type Role } from './messages.ts';

export { ProcessGroup } from './group.ts';
export { type DownMessage, type GroupState, type ReadyLine, ROLE_VARIABLE, type Role, type UpMessage } from './messages.ts';

/** Returns the group of this process; null for a server that runs in one process, and for the main process of several. */
export function ownGroup(): ProcessGroup | null {
  const role = process.env[ROLE_VARIABLE];
  if (!cluster.isWorker || role === undefined) return null;
  // Programs that this process starts have no role.
  delete process.env[ROLE_VARIABLE];
  return new ProcessGroup(JSON.parse(role) as Role, {
    // The main process has ended if a message cannot be sent. This process then ends, too.
    send: (message) => new Promise((resolve) => process.send?.(message, undefined, undefined, () => resolve())),
    receive: (listener) => process.on('message', (message) => listener(message as DownMessage)),
  });
}
