import { Type } from 'typebox';
import { list as listOf, literals } from '#core/platform/fields';
import {
  CHANNELS,
  type Channel,
  EmailChannel,
  MESSAGE_KINDS,
  MESSAGE_STATUSES,
  Message,
  MessageChannel,
  SmsChannel,
  TestMessage,
} from '#core/records/notifications';
import { Paginated, route, Success } from '#server/http';
import {
  ChannelTestIn,
  DateQuery,
  Deleted,
  datedPageFrom,
  EmailChannelIn,
  oneOf,
  PageQuery,
  Params,
  ResendIn,
  SmsChannelIn,
  Text,
} from '#server/schemas';

const ChannelParams = Type.Object({ channel: Text(200, 'email or sms', 'email') });
const shared = { surface: 'admin', tag: 'Messages', scope: 'merchant' } as const;
const settings = { ...shared, permission: 'settings:write', scope: 'tenant' } as const;
/** Changes of a channel are protected, because channels carry password links and sign-in codes. */
const change = {
  ...settings,
  permission: 'owner:channels',
  confirms: { level: 'recent' },
} as const;
const OWNERS_ONLY =
  "Only an owner can call this. Every owner is notified, through the channel's previous settings too. For 24 hours no password link is sent through a changed channel.";

const list = route({
  ...shared,
  method: 'GET',
  permission: 'notifications:read',
  path: '/notifications/messages',
  id: 'admin.listMessages',
  summary: 'Emails and text messages, newest first',
  description:
    'A caller of one merchant sees its messages only. The text of a message that authenticates a user (a password link, a sign-in code) is shown in a sandbox only, to callers who may manage that user.',
  query: Type.Object({
    ...PageQuery,
    ...DateQuery,
    channel: oneOf(...CHANNELS),
    status: oneOf(...MESSAGE_STATUSES),
    kind: oneOf(...MESSAGE_KINDS),
    resourceId: Type.Optional(Text(60, 'ID of the record that the messages are about')),
    q: Type.Optional(Text(200, 'the start of the address or number, or a part of it if none starts with it')),
  }),
  response: Paginated(Message),
  errors: ['INVALID_DATE'],
  run: async ({ core, actor, query }) => {
    const { channel, status, kind, resourceId, q } = query;
    return core.notifications.page(actor, { channel, status, kind, resourceId, q }, await datedPageFrom(core, actor, query));
  },
});

const get = route({
  ...shared,
  method: 'GET',
  permission: 'notifications:read',
  path: '/notifications/messages/:id',
  id: 'admin.getMessage',
  summary: 'One message',
  description: 'Messages that authenticate a user are shown to callers who may manage that user, on sandboxes only.',
  params: Params('id'),
  response: Success(Message),
  errors: ['NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED'],
  run: ({ core, actor, params }) => core.notifications.get(actor, params.id),
});

const resend = route({
  ...shared,
  method: 'POST',
  permission: 'notifications:write',
  path: '/notifications/messages/:id/resend',
  id: 'admin.resendMessage',
  summary: 'Send a message, or send it again',
  description:
    'Queues the message again for immediate delivery. `to` corrects the recipient. RESOURCE_CONFLICT with `details.reason`: `secret` (codes and password links), `expired` (a link), `address_on_file` (another recipient of a statement or a report), `not_set_up` (its channel) or `sending`.',
  params: Params('id'),
  body: ResendIn,
  response: Success(Message),
  errors: ['NOT_FOUND', 'RESOURCE_CONFLICT', 'INVALID_EMAIL', 'INVALID_PHONE', 'MERCHANT_NOT_AUTHORIZED'],
  run: ({ core, actor, params, body }) => core.notifications.resend(actor, params.id, body.to),
});

const resendWaiting = route({
  ...shared,
  method: 'POST',
  permission: 'notifications:write',
  path: '/notifications/messages/resend-waiting',
  id: 'admin.resendWaitingMessages',
  summary: 'Send all messages that waited for their channel',
  description:
    'Queues the messages of a channel that were written before it was set up, except expired ones, codes and password links. RESOURCE_CONFLICT with `details.reason` `not_set_up` while it is not set up.',
  body: Type.Object({ channel: literals(['email', 'sms'], 'Email or text message') }),
  response: Success(Type.Object({ resent: Type.Integer({ description: 'number of messages that are sent again' }) })),
  errors: ['RESOURCE_CONFLICT'],
  run: async ({ core, actor, body }) => ({ resent: await core.notifications.resendWaiting(actor, body.channel) }),
});

const channels = route({
  ...shared,
  method: 'GET',
  permission: 'settings:read',
  scope: 'tenant',
  path: '/notifications/channels',
  id: 'admin.listMessageChannels',
  summary: 'Settings and health of the message channels',
  description: 'Never contains passwords or tokens, only whether they are stored.',
  response: Success(listOf(MessageChannel, 'Channels')),
  run: ({ core, actor }) => core.notifications.channels(actor),
});

const WRITE_ERRORS = ['REQUIRED_FIELD_MISSING', 'MERCHANT_NOT_AUTHORIZED'] as const;

const setEmail = route({
  ...change,
  method: 'PUT',
  path: '/notifications/channels/email',
  id: 'admin.setEmailChannel',
  summary: 'Set up the mail server',
  description: `${OWNERS_ONLY} Missing fields stay unchanged. \`password\` is that of the mail server; it is encrypted and never returned, and another server requires it again. \`security: none\` is for a sandbox, or a mail server on this computer or its own networks. Messages from before the setup are not sent automatically.`,
  body: EmailChannelIn,
  response: Success(EmailChannel),
  errors: [...WRITE_ERRORS, 'INVALID_EMAIL'],
  run: ({ core, actor, body }) => core.notifications.setEmail(actor, body),
});

const setSms = route({
  ...change,
  method: 'PUT',
  path: '/notifications/channels/sms',
  id: 'admin.setSmsChannel',
  summary: 'Set up the provider of text messages',
  description: `${OWNERS_ONLY} Missing fields stay unchanged. The token is encrypted and never returned. Messages from before the setup are not sent automatically.`,
  body: SmsChannelIn,
  response: Success(SmsChannel),
  errors: WRITE_ERRORS,
  run: ({ core, actor, body }) => core.notifications.setSms(actor, body),
});

const channelOf = (params: { channel: string }) => params.channel as Channel;

const removeChannel = route({
  ...change,
  method: 'DELETE',
  path: '/notifications/channels/:channel',
  id: 'admin.deleteMessageChannel',
  summary: 'Turn off a channel',
  description: `${OWNERS_ONLY} Queued messages then wait for a new setup.`,
  params: ChannelParams,
  response: Success(Deleted),
  errors: ['NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED'],
  run: async ({ core, actor, params }) => {
    await core.notifications.removeChannel(actor, channelOf(params));
    return params.channel;
  },
  show: (id) => ({ id, deleted: true }) as const,
});

const testChannel = route({
  ...settings,
  method: 'POST',
  path: '/notifications/channels/:channel/test',
  id: 'admin.testMessageChannel',
  summary: 'Send a test message',
  description: 'Sends a real message; the response contains the result of the server.',
  params: ChannelParams,
  body: ChannelTestIn,
  response: Success(TestMessage),
  errors: ['NOT_FOUND', 'RESOURCE_CONFLICT', 'INVALID_EMAIL', 'INVALID_PHONE', 'MERCHANT_NOT_AUTHORIZED'],
  run: ({ core, actor, params, body }) => core.notifications.testChannel(actor, channelOf(params), body.to),
});

export const adminNotifications = [list, get, resend, resendWaiting, channels, setEmail, setSms, removeChannel, testChannel];
