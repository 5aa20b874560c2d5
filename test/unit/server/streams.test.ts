import fc from 'fast-check';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { describe, expect, test } from 'vitest';
import { type StreamExchange, Streams } from '../../../server/http/streams.ts';

type Change = Parameters<StreamExchange['publish']>[0];

const OWNER = { tenantId: 'tnt_1', userId: 'usr_1', sessionId: 'ses_1' };
const PROCESSES = 3;
const NUMBERS = Array.from({ length: PROCESSES }, (_, self) => self);
const PAIRS = NUMBERS.flatMap((from) => NUMBERS.map((to) => [from, to] as const));

/** Processes whose messages arrive late, but in the order in which each was sent. */
function startProcesses() {
  let open = 0;
  const listeners: ((change: Change) => void)[] = [];
  const queues = NUMBERS.map(() => NUMBERS.map((): Change[] => []));
  const processes = queues.map((sent, self) => {
    const app = { addHook: () => {} } as unknown as FastifyInstance;
    return new Streams(app, {
      publish: (change) => {
        for (const [other, queue] of sent.entries()) if (other !== self) queue.push(change);
      },
      subscribe: (listener) => {
        listeners[self] = listener;
      },
    });
  });
  return {
    openAt(self: number): void {
      open += 1;
      const raw = { writeHead: () => {}, write: () => {}, on: () => {}, end: () => (open -= 1) };
      processes[self]?.open({ hijack: () => {}, getHeaders: () => ({}), raw } as unknown as FastifyReply, OWNER, () => () => {});
    },
    /** Delivers the oldest message from one process to another. Returns false if there is none. */
    deliver(from: number, to: number): boolean {
      const change = queues[from]?.[to]?.shift();
      if (change) listeners[to]?.(change);
      return change !== undefined;
    },
    openCount: () => open,
  };
}

describe('streams of a session in several processes', () => {
  test('keeps five of them, whenever the processes hear of each other', () => {
    const process = fc.nat({ max: PROCESSES - 1 });
    const step = fc.oneof(fc.record({ at: process }), fc.record({ from: process, to: process }));
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const server = startProcesses();
        let opened = 0;
        for (const each of steps) {
          if ('at' in each) {
            server.openAt(each.at);
            opened += 1;
          } else server.deliver(each.from, each.to);
        }
        while (PAIRS.map(([from, to]) => server.deliver(from, to)).includes(true));
        expect(server.openCount()).toBe(Math.min(opened, 5));
      }),
      { seed: 20261130, numRuns: 500 },
    );
  });
});
