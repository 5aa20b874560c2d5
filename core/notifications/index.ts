import type { Actor } from '#core/kernel';
import { createChangeNotices } from './channel-change.ts';
import { createChannels } from './channels.ts';
import { deliverJob } from './deliver.ts';
import type { Dependencies } from './dependencies.ts';
import { channelHealth } from './health.ts';
import { createNotify } from './notify.ts';
import { createOutbox } from './outbox.ts';
import { type Channel, MESSAGE_CHANNELS, MESSAGES } from './schema.ts';
import { createSender } from './sender.ts';
import { sendWaiting } from './suspension.ts';
import { createSweep } from './sweep.ts';

export { recipientOf, toE164 } from './address.ts';
export type { ChannelState } from './channel.ts';

export { type Message, type NewMessage, type Notify, SEALED_MESSAGE } from './message.ts';

export type { MessageFilter } from './outbox.ts';
export type { Channel } from './schema.ts';

export { type CodeTexts, PASSWORD_TEXTS, PAYER_TEXTS, SIGN_IN_CODE } from './texts.ts';

export const TABLES = [MESSAGES, MESSAGE_CHANNELS];

/** Emails and text messages, their outbox, and the channels that send them (decisions 9). */
export type Notifications = ReturnType<typeof createNotifications>;

export function createNotifications(deps: Dependencies) {
  const sender = createSender(deps);
  deps.scheduler.register(deliverJob(deps, sender));
  const notify = createNotify(deps);
  return {
    notify,
    ...createOutbox(deps),
    ...createChannels(deps, sender, createChangeNotices(deps, notify, sender)),
    /** Returns the health of each channel. */
    channelHealth: (actor: Actor) => channelHealth(deps, actor),
    /** Returns true if messages of the channel leave the account: its settings exist, or it is a sandbox, where messages can be read. */
    delivers: async (tenantId: string, channel: Channel): Promise<boolean> =>
      deps.isSandbox(tenantId) || (await deps.database.read(tenantId).one(MESSAGE_CHANNELS, { channel })) !== null,
    /** Sends waiting emails and text messages now instead of at their next attempt, because the connection has returned. */
    sendWaiting: (tenantId: string) => sendWaiting(deps, tenantId),
    sweep: createSweep(deps),
    registerAttachments: sender.registerAttachments,
    close: sender.close,
  };
}
