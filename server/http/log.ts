import validator from 'card-validator';
import type { FastifyServerOptions } from 'fastify';

const CARD_SHAPE = /(?<![\d.])\d(?:[ -]?\d){11,18}(?!\d)/g;

/** Blots out whatever passes for a card number: the second net below never logging one. */
export function redactCards(text: string): string {
  return text.replace(CARD_SHAPE, (digits) => (validator.number(digits.replace(/[ -]/g, '')).isValid ? '[card number]' : digits));
}

/** What a job failed of; anything else that is told as a cause stays as it is. */
const errorOf = (cause: unknown) => (cause instanceof Error ? { type: cause.name, message: cause.message, stack: cause.stack } : cause);

/** Structured log on standard error; standard output belongs to the ready line. */
export function logOptions(level: string): FastifyServerOptions['logger'] {
  return {
    level,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    redact: {
      paths: ['*.authorization', '*.password', '*.token', '*.refreshToken', '*["x-api-key"]', '*.cvv', '*.number', '*.accountNumber'],
      censor: '[redacted]',
    },
    serializers: { cause: errorOf },
    hooks: { streamWrite: redactCards },
    stream: process.stderr,
  };
}
