import { Type } from 'typebox';
import { STATUS_ACTIONS, STATUS_NAMES } from '#core/operation/status';
import { literals } from '#core/platform/fields';
import { Maybe, Timestamp } from './fields.ts';
import { named } from './named.ts';

const StateOut = named(
  'StatusLevel',
  Type.Union([Type.Literal('ok'), Type.Literal('warning'), Type.Literal('problem')], {
    description: 'warning: should be checked; problem: prevents something from working',
  }),
);

/** One item of the system's status. */
const StatusItemOut = named(
  'StatusItem',
  Type.Object({
    name: literals(STATUS_NAMES),
    state: StateOut,
    message: Type.String({ description: 'one sentence' }),
    action: Maybe(literals(STATUS_ACTIONS)),
    subject: Maybe(Type.String({ description: 'subject of the action: the ID of an endpoint, the name of a channel' })),
    facts: Type.Array(
      Type.Object(
        { name: Type.String(), value: Maybe(Type.String()), at: Maybe(Timestamp) },
        { description: 'a figure: a text or a time' },
      ),
    ),
  }),
);

const JobOut = named(
  'JobStatus',
  Type.Object({
    name: Type.String(),
    nextAt: Maybe(Timestamp),
    isOverdue: Type.Boolean({ description: 'due for more than a minute without being processed' }),
    isHeld: Type.Boolean({ description: 'on hold since a restore, until charges are resumed' }),
    lastAt: Maybe(Type.String({ format: 'date-time', description: 'last run on this server since its start' })),
    lastFailed: Type.Boolean(),
  }),
);

export const SystemStatusOut = named(
  'SystemStatus',
  Type.Object({
    state: StateOut,
    checkedAt: Timestamp,
    items: Type.Array(StatusItemOut),
    jobs: Type.Array(JobOut),
  }),
);
