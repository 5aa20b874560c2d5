import type { Actor } from '#core/kernel';
import { createChangeNotices } from './channel-change.ts';
import { createChannels } from './channels.ts';
import { deliverJob } from './deliver.ts';
import type { Needs } from './needs.ts';
import { createNotify } from './notify.ts';
import { createOutbox } from './outbox.ts';
import { type Channel, MESSAGE_CHANNELS, MESSAGES } from './schema.ts';
import { createSender } from './sender.ts';
import { standing } from './standing.ts';
import { createSweep } from './sweep.ts';

export { recipientOf } from './address.ts';
export type { ChannelState } from './channel.ts';

export { type Message, type NewMessage, type Notify, SEALED_MESSAGE } from './message.ts';

export type { MessageFilter } from './outbox.ts';
export type { Channel } from './schema.ts';

export { type CodeWords, PASSWORD_WORDS, PAYER_WORDS, SIGN_IN_CODE } from './words.ts';

export const TABLES = [MESSAGES, MESSAGE_CHANNELS];

/** Messages, the outbox that they wait in, and the channels by which they go out (decisions 9). */
export type Notifications = ReturnType<typeof createNotifications>;

export function createNotifications(on: Needs) {
  const sender = createSender(on);
  on.scheduler.register(deliverJob(on, sender));
  const notify = createNotify(on);
  return {
    notify,
    ...createOutbox(on),
    ...createChannels(on, sender, createChangeNotices(on, notify, sender)),
    /** How the messages of each channel stand. */
    standing: (by: Actor) => standing(on, by),
    /** Returns true if messages of the channel leave the account: its settings exist, or it is a sandbox, where messages can be read. */
    delivers: async (tenantId: string, channel: Channel): Promise<boolean> =>
      on.isSandbox(tenantId) || (await on.database.read(tenantId).one(MESSAGE_CHANNELS, { channel })) !== null,
    sweep: createSweep(on),
    registerAttachments: sender.registerAttachments,
    close: sender.close,
  };
}
