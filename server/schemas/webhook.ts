import { Type } from 'typebox';
import { ALIASES, EVENT_TYPES, EVERY_SECURITY_TYPE, EVERY_TYPE } from '#shared/webhook-events';
import { Text } from './fields.ts';
import { named } from './named.ts';

const names = [...EVENT_TYPES, ...Object.keys(ALIASES), EVERY_TYPE, EVERY_SECURITY_TYPE].join(', ');

export const EventTypesIn = named('EventTypes', Type.Array(Text(60), { description: `event types: ${names}`, maxItems: 60 }));
export const UrlIn = Text(2_000, 'an HTTPS address');
