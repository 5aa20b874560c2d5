import type { FastifyServerOptions } from 'fastify';
import { LOG_LINE, redactCardNumbers } from '#shared/card-numbers';

/** Returns the loggable form of an error; any other cause stays unchanged. */
const errorOf = (cause: unknown) => (cause instanceof Error ? { type: cause.name, message: cause.message, stack: cause.stack } : cause);

/** Returns the options of the structured log on standard error; standard output is reserved for the ready line. */
export function logOptions(level: string): FastifyServerOptions['logger'] {
  return {
    level,
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
