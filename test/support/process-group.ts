import { type DownMessage, ProcessGroup, type UpMessage } from '#server/operation/processes';

/** Connects the processes of a group without a main process. */
export function groupOf(count: number) {
  const listeners: ((message: DownMessage) => void)[] = [];
  const forward = (from: number, message: UpMessage) => {
    if (message.kind === 'response') listeners[message.to - 1]?.({ ...message, from });
    if (message.kind === 'publish' || message.kind === 'request')
      for (const [at, listener] of listeners.entries()) if (at + 1 !== from) listener({ ...message, from });
  };
  const groups = Array.from({ length: count }, (_, at) => {
    const role = { index: at + 1, count, isFirstStart: true, port: 1, metricsPort: null, serverName: 'test' };
    return new ProcessGroup(role, {
      send: async (message) => forward(at + 1, message),
      receive: (listener) => void listeners.push(listener),
    });
  });
  const running = groups.map(({ role }) => role.index);
  const setRunning = (indexes: readonly number[]) => {
    const state = { expected: count, running: indexes, leader: indexes[0] ?? null, restarts: 0 };
    for (const listener of listeners) listener({ kind: 'state', state });
  };
  setRunning(running);
  return { groups: groups as [ProcessGroup, ProcessGroup, ProcessGroup], setRunning };
}
