import { Errors } from 'typebox/schema';
import { ALIASES, type EventType, WEBHOOK_EVENTS } from '#shared/webhook-events';

/** Returns the fields of an event that do not match the declaration of its type; empty if all match. */
export function schemaErrorsOf(name: string, data: unknown): string[] {
  const declared = WEBHOOK_EVENTS[(ALIASES[name] ?? name) as EventType]?.data;
  if (declared === undefined) return [`${name} is no event type`];
  const [, errors] = Errors(declared, data);
  const known = Object.keys(declared.properties as object);
  const undeclared = Object.keys(data as object).filter((field) => !known.includes(field));
  return [
    ...errors.map(({ instancePath, message }) => `${name}${instancePath} ${message}`),
    ...undeclared.map((field) => `${name} does not declare ${field}`),
  ];
}
