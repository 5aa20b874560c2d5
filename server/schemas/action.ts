import { type TObject, type TProperties, Type } from 'typebox';
import { amount, flag, list, record, text } from '#core/platform/fields';

const ActionOut = record(
  'Action',
  {
    allowed: flag('True if the operation is accepted now', true),
    code: Type.Optional(text('Code of the error with which the operation fails now', 'RESOURCE_CONFLICT')),
    message: Type.Optional(text('Reason why the operation is refused now', 'The message.')),
    maxAmount: Type.Optional(amount('Largest amount that the operation accepts, before limits of the merchant and of the caller', 49.99)),
    choices: Type.Optional(list(Type.String(), 'Values that the operation accepts now', ['won'])),
  },
  'whether the caller can run an operation now, by the checks of the operation itself',
);

/** Returns a record with what the caller can do with it. `access` has the operations, by name. */
export const withActions = <Fields extends TProperties, Name extends string>(
  name: string,
  { properties }: TObject<Fields>,
  access: Readonly<Record<Name, unknown>>,
) => record(name, { ...properties, actions: ActionsOut(Object.keys(access) as Name[]) });

/** Returns the schema of the actions of a record. */
export const ActionsOut = <const Names extends readonly string[]>(names: Names) =>
  Type.Object(Object.fromEntries(names.map((name) => [name, ActionOut])) as Record<Names[number], typeof ActionOut>, {
    description: 'what the caller can do with this record now; a refused operation has the code and the message with which it fails',
  });
