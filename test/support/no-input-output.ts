import { Server, Socket } from 'node:net';
import { vi } from 'vitest';

const refuse = (what: string) => () => {
  throw new Error(`A unit test ${what}. Move it to test/integration, or test the rule without it.`);
};

// Unit tests need no database and no socket, so that they run in a minute and never depend on the machine.
Server.prototype.listen = refuse('opened a socket') as never;
Socket.prototype.connect = refuse('opened a connection') as never;
vi.mock('better-sqlite3', () => ({
  default: class {
    constructor() {
      refuse('opened a database')();
    }
  },
}));
