import { hostname } from 'node:os';
import type { FastifyServerOptions } from 'fastify';
import { LOG_LINE, redactCardNumbers } from '#shared/card-numbers';

/** Returns the loggable form of an error; any other cause stays unchanged. */
const errorOf = (cause: unknown) => (cause instanceof Error ? { type: cause.name, message: cause.message, stack: cause.stack } : cause);

/** Returns the options of the structured log on standard error, with the number of the process if the server has several; standard output is reserved for the ready line. */
export function logOptions(level: string, processNumber?: number): FastifyServerOptions['logger'] {
  return {
    level,
    ...(processNumber === undefined ? {} : { base: { pid: process.pid, hostname: hostname(), process: processNumber } }),
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    redact: {
      paths: ['*.authorization', '*.password', '*.token', '*.refreshToken', '*["x-api-key"]', '*.cvv', '*.number', '*.accountNumber'],
      censor: '[redacted]',
    },
    serializers: { cause: errorOf },
    hooks: { streamWrite: (line: string) => redactCardNumbers(line, LOG_LINE) },
    stream: process.stderr,
  };
}
