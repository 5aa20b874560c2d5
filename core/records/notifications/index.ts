import type { Read, Work } from '#core/database';
import { type Actor, bind } from '#core/kernel';
import { createChangeNotices } from './channel-change.ts';
import { createChannels } from './channels.ts';
import { createCleanUp } from './clean-up.ts';
import { deliverJob } from './deliver.ts';
import type { Dependencies } from './dependencies.ts';
import { channelHealth } from './health.ts';
import { createMessageCount } from './limits.ts';
import type { Notify } from './message.ts';
import { createWrite } from './notify.ts';
import { createOutbox } from './outbox.ts';
import { type Channel, MESSAGE_CHANNELS, MESSAGE_COUNTS, MESSAGES } from './schema.ts';
import { createSender } from './sender.ts';
import { sendWaiting } from './suspension.ts';
import { destinationChangedText, type EmailText } from './texts.ts';

export { recipientOf, toE164 } from './address.ts';

export { type Delivery, deliveriesOf, messageStates } from './deliveries.ts';
export type { MessageLimits } from './dependencies.ts';
export { MESSAGE_LIMITS } from './limits.ts';

export { type NewMessage, type Notify, SEALED_MESSAGE } from './message.ts';

export { EmailChannel, Message, MessageChannel, SentMessage, SmsChannel, TestMessage } from './records.ts';
export { mailReport, REPORT_LINES_MAX } from './report.ts';
export { CHANNELS, type Channel, MESSAGE_KINDS, MESSAGE_STATUSES } from './schema.ts';
export { withFooter } from './sender.ts';

export { type CodeTexts, PASSWORD_TEXTS, PAYER_TEXTS, PIN_REMOVED_TEXT, SIGN_IN_CODE } from './texts.ts';

export const TABLES = [MESSAGES, MESSAGE_CHANNELS, MESSAGE_COUNTS];

/** Emails and text messages, their outbox, and the channels that send them. */
export type Notifications = ReturnType<typeof createNotifications>;

export function createNotifications(deps: Dependencies) {
  const sender = createSender(deps);
  deps.scheduler.register(deliverJob(deps, sender));
  const write = createWrite(deps);
  const count = createMessageCount(deps, write);
  const notify: Notify = async (work, message) => {
    if (message.cause !== 'event') await count(work, message);
    return write(work, message);
  };
  async function warnOwners(work: Work, tenantId: string, text: EmailText): Promise<void> {
    const atMs = deps.clockOf(tenantId).now();
    for (const { email } of await deps.ownersOf(tenantId))
      await write(work, { tenantId, merchantId: null, channel: 'email', to: email, ...text, atMs, cause: 'event' });
  }
  return {
    notify,
    ...createOutbox(deps, count),
    ...createChannels(deps, sender, createChangeNotices(deps, notify, sender), count),
    /** Writes an email to every owner of a tenant who can sign in. It is never refused. */
    warnOwners,
    /** Tells the owners if anyone but an owner changes where payments or events are sent. `what` continues the sentence "Ann changed". */
    async warnAboutDestination(work: Work, { tenantId, name, permissions }: Actor, what: string): Promise<void> {
      if (!permissions.has('owner:addresses')) await warnOwners(work, tenantId, destinationChangedText(name, what));
    },
    ...bind(deps, { channelHealth, sendWaiting }),
    /** Returns true if messages of the channel leave the account: its settings exist, or it is a sandbox, where messages can be read. */
    delivers: async (tenantId: string, channel: Channel, read: Read = deps.database.read(tenantId)): Promise<boolean> =>
      deps.isSandbox(tenantId) || (await read.one(MESSAGE_CHANNELS, { channel })) !== null,
    cleanUp: createCleanUp(deps),
    registerAttachments: sender.registerAttachments,
    registerCheck: sender.registerCheck,
    registerFooter: sender.registerFooter,
    close: sender.close,
  };
}
