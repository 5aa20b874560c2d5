import type { EventEmitter } from 'node:events';

/** Emits an event that listeners may prevent, with `details` on it as in Electron. Returns true if a listener prevented it. */
export function emitPreventable(emitter: EventEmitter, name: string, details: object = {}, ...rest: unknown[]): boolean {
  const event = {
    ...details,
    defaultPrevented: false,
    preventDefault: () => {
      event.defaultPrevented = true;
    },
  };
  emitter.emit(name, event, ...rest);
  return event.defaultPrevented;
}
