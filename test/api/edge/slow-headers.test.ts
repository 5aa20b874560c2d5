// @module-tag full
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { ANY_DATABASE, startTestServer } from '../../support/server.ts';
import { until } from '../../support/until.ts';

test.each(ANY_DATABASE)(
  'closes connections whose headers do not arrive in time, whether or not the client closes its side (%s)',
  async (database) => {
    const { server, stop } = await startTestServer(database, { headersTimeoutMs: 200 }, 'none');
    try {
      const { port } = new URL(server.baseUrl);
      const texts = ['', 'G', 'GET /health HTTP/1.1\r\n', 'GET /health HTTP/1.1\r\nHost: localhost\r\nX-Slow: '];
      const openSlow = (text: string, isDripping: boolean) => {
        const socket = connect({ port: Number(port), host: '127.0.0.1', allowHalfOpen: true }, () => socket.write(text));
        const state = { received: '', isDripping, isClosed: false };
        socket.setEncoding('utf8').on('data', (more) => {
          state.received += more;
        });
        let writing: NodeJS.Timeout | undefined;
        // A byte that is written to a destroyed connection is answered with a reset. A response that was not yet read is then lost.
        const drip = () => {
          writing = setInterval(() => socket.write('x'), 100);
        };
        if (isDripping) drip();
        else socket.once('end', drip);
        const done = () => {
          clearInterval(writing);
          state.isClosed = true;
        };
        socket.on('error', done).on('close', done);
        return state;
      };
      const slow = texts.flatMap((text) => [openSlow(text, true), openSlow(text, false)]);
      await until('every slow connection is closed', () => slow.every(({ isClosed }) => isClosed));
      expect(slow.some(({ isDripping, received }) => !isDripping && received.startsWith('HTTP/1.1 408 '))).toBe(true);
    } finally {
      await stop();
    }
  },
);
