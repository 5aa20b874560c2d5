// A process of a server without a service, for tests of the main process. It writes the messages that it receives to a file.
import { appendFileSync } from 'node:fs';

const { index, isFirstStart } = JSON.parse(process.env.PAYDESK_PROCESS_ROLE);
const send = (message) => process.send(message);
process.on('message', (message) => appendFileSync(process.env.RECEIVED, `${JSON.stringify({ index, message })}\n`));
process.on('SIGTERM', () => send({ kind: 'stopping' }));
setInterval(() => send({ kind: 'alive' }), 20);
if (index !== 2 || !isFirstStart) send({ kind: 'ready', line: { baseUrl: '', environment: 'live' } });
