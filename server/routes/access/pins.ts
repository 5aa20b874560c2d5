import { Type } from 'typebox';
import { Person, peopleFor, SignedIn } from '#core/access/identity';
import { EXAMPLE_ID, list } from '#core/platform/fields';
import { countWrongPins, loginContextOf } from '#server/hooks';
import { route, Success } from '#server/http';
import { AlwaysTrue, Params, ProtectedText, Text } from '#server/schemas';

const self = { surface: 'admin', scope: 'caller', permission: 'session', tag: 'Authentication' } as const;
const confirmed = { ...self, confirms: { level: 'password' } } as const;
const Pin = { ...ProtectedText(8, '4 to 8 digits without a simple pattern'), examples: ['481627'] };
const removed = () => ({ removed: true }) as const;
const Removed = Success(Type.Object({ removed: AlwaysTrue }));

const setPin = route({
  ...confirmed,
  method: 'PUT',
  path: '/auth/pin',
  id: 'admin.setPin',
  summary: 'Set your PIN',
  description:
    'With the PIN you approve operations and take over a screen at a workstation where another person is signed in. It replaces the present one. Five wrong PINs lock it for 15 minutes.',
  body: Type.Object({ pin: Pin }),
  response: Success(Type.Object({ set: AlwaysTrue })),
  run: ({ core, actor, principal, body }) => core.identity.pins.set(actor, principal.userId ?? '', principal.sessionId, body.pin),
  show: () => ({ set: true }) as const,
});

const removePin = route({
  ...confirmed,
  method: 'DELETE',
  path: '/auth/pin',
  id: 'admin.removePin',
  summary: 'Remove your PIN',
  description: 'You can neither approve with a PIN nor take over a screen until you set another one.',
  response: Removed,
  errors: ['NOT_FOUND'],
  run: ({ core, actor, principal }) => core.identity.pins.removeOwn(actor, principal.userId ?? ''),
  show: removed,
});

const removeUserPin = route({
  surface: 'admin',
  tag: 'Users and roles',
  scope: 'merchant',
  method: 'DELETE',
  permission: 'users:write',
  confirms: { level: 'recent' },
  path: '/merchants/:merchantId/users/:userId/pin',
  id: 'admin.removeUserPin',
  approvable: true,
  summary: 'Remove the PIN of a user',
  description: 'For a PIN that others know. Nobody can read or set the PIN of another user.',
  params: Params('merchantId', 'userId'),
  response: Removed,
  errors: ['NOT_FOUND', 'MERCHANT_NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED'],
  run: ({ core, actor, params }) => core.identity.pins.removeFor(actor, params.merchantId, params.userId),
  show: removed,
});

const people = route({
  ...self,
  byPin: true,
  method: 'GET',
  path: '/auth/people',
  id: 'admin.listPeople',
  summary: 'People who can take over the screen with their PIN',
  description:
    'Users with a PIN and access to the merchants of the session, by email address. Addresses are masked for callers without `users:read`.',
  response: Success(Type.Object({ people: list(Person, 'people, by email address') })),
  run: async ({ core, actor }) => peopleFor(actor, await core.identity.peopleWithPin(actor)),
  show: (found) => ({ people: found }),
});

const switchPerson = route({
  ...self,
  byPin: true,
  method: 'POST',
  path: '/auth/switch',
  id: 'admin.switchPerson',
  idempotent: false,
  summary: 'Take over the screen with a PIN',
  description:
    'Ends the running session of the screen and starts one of the named user. It can sell, take cash, print, look up, and do or approve what the role allows with money. It is limited to the merchants of the last sign-in with a password, and ends at most 12 hours after it.',
  body: Type.Object({ userId: Text(60, 'the user who takes over', `usr_${EXAMPLE_ID}`), pin: Pin }),
  response: Success(SignedIn),
  errors: ['MERCHANT_NOT_AUTHORIZED', 'TOKEN_INVALID'],
  run: ({ core, actor, principal, body, request, reply }) =>
    countWrongPins(core.limits, principal, request, reply, () =>
      core.identity.signIn.switchPerson(actor.tenantId, principal.sessionId ?? '', body.userId, body.pin, loginContextOf(request)),
    ),
});

export const adminPins = [setPin, removePin, removeUserPin, people, switchPerson];
