import { type Static, Type } from 'typebox';
import { named } from './named.ts';

export const ActionOut = named(
  'Action',
  Type.Object(
    {
      allowed: Type.Boolean({ description: 'true if the operation is accepted now' }),
      code: Type.Optional(Type.String({ description: 'code of the error with which the operation fails now' })),
      message: Type.Optional(Type.String({ description: 'reason why the operation is refused now' })),
      maxAmount: Type.Optional(
        Type.Number({
          description: 'largest amount that the operation accepts, before limits of the merchant and of the caller, in major units',
        }),
      ),
      choices: Type.Optional(Type.Array(Type.String(), { description: 'values that the operation accepts now' })),
    },
    { description: 'whether the caller can run an operation now, by the checks of the operation itself' },
  ),
);
export type ActionOut = Static<typeof ActionOut>;

/** Returns the schema of the actions of a record. */
export const ActionsOut = <const Names extends readonly string[]>(names: Names) =>
  Type.Object(Object.fromEntries(names.map((name) => [name, ActionOut])) as Record<Names[number], typeof ActionOut>, {
    description: 'what the caller can do with this record now; a refused operation has the code and the message with which it fails',
  });
