import type { Work } from '#core/database';
import { type Actor, isoTime, type TenantTime, tenantTime } from '#core/kernel';
import { emailSettingsOf, smsSettingsOf } from './channel.ts';
import type { Dependencies, Owner } from './dependencies.ts';
import { type Notify, unqueuedMessage } from './message.ts';
import { type Channel, MESSAGES, type MessageChannelRow, type MessageRow } from './schema.ts';
import type { Sender } from './sender.ts';
import { type ChannelChange, channelChangedText, type EmailText } from './texts.ts';

/** Time after a change of a channel in which it sends no password link, so that owners can notice a hostile change. */
const PASSWORD_HOLD_MS = 24 * 3_600_000;

/** Shown with a password link that waits for the end of the hold. */
export const HOLD_NOTICE =
  'This channel was changed less than 24 hours ago. Password links are not sent through it until then; give the link to the user in person.';

/** Returns the time until which a channel must not send the message; null if it may send it at any time. */
export function heldUntil({ kind }: Pick<MessageRow, 'kind'>, { updated_at }: Pick<MessageChannelRow, 'updated_at'>): TenantTime | null {
  return kind === 'password' ? tenantTime(Date.parse(updated_at) + PASSWORD_HOLD_MS) : null;
}

/** Returns the host name of a channel's server. */
function serverOf(row: MessageChannelRow): string {
  return row.channel === 'email' ? emailSettingsOf(row).host : new URL(smsSettingsOf(row).apiUrl).host;
}

/** Notifies the owners of a tenant that a message channel was changed. */
export interface ChangeNotices {
  /**
   * Writes the notices in the unit of work of the change. After the commit they are sent once through the previous settings of the channel.
   * Emails that
   * the previous server does not accept, and all notices about a text message channel, are sent through the present email channel. Requires
   * the lock of
   * the channel's row.
   * @param after The channel after the change; null if it was removed.
   */
  write(work: Work, actor: Actor, before: MessageChannelRow | null, after: MessageChannelRow | null, nowMs: TenantTime): Promise<void>;
}

export function createChangeNotices(deps: Dependencies, notify: Notify, sender: Sender): ChangeNotices {
  const recipientOf = (channel: Channel, { email, phone }: Owner) => (channel === 'email' ? email : phone);

  const queue = (work: Work, actor: Actor, to: string, text: EmailText, atMs: TenantTime) =>
    notify(work, { tenantId: actor.tenantId, merchantId: null, channel: 'email', to, ...text, atMs, cause: 'event' });

  /**
   * Sends a notice once through the previous channel. If that server does not accept it, the notice expires, and an email is queued for the
   * present channel.
   */
  async function sendThrough(previous: MessageChannelRow, actor: Actor, message: MessageRow, text: EmailText): Promise<void> {
    const outcome = await sender.send(previous, message);
    const atMs = deps.clockOf(actor.tenantId).now();
    await deps.database.unitOfWork.transaction(actor.tenantId, async (work) => {
      if (outcome.kind === 'sent') {
        const { providerId: provider_id } = outcome;
        await work.update(MESSAGES, { id: message.id }, { status: 'sent', sent_at: isoTime(atMs), provider_id, last_error: null });
      } else {
        await work.update(MESSAGES, { id: message.id }, { status: 'expired', last_error: outcome.message });
        if (message.channel === 'email') await queue(work, actor, message.recipient, text, atMs);
      }
      work.afterCommit(() => deps.changed(actor.tenantId, 'messages', null));
    });
  }

  return {
    async write(work, actor, before, after, nowMs) {
      const channel = (after ?? before)?.channel;
      if (channel === undefined) return;
      const change: ChannelChange = {
        channel,
        actorName: actor.name,
        previousServer: before && serverOf(before),
        newServer: after && serverOf(after),
      };
      const text = channelChangedText(change);
      const owners = await deps.ownersOf(actor.tenantId);
      if (before === null || channel === 'sms') for (const { email } of owners) await queue(work, actor, email, text, nowMs);
      if (before === null) return;
      const recipients = owners.map((owner) => recipientOf(channel, owner)).filter((to) => to !== null);
      const notices = recipients.map((to) => unqueuedMessage(actor.tenantId, { channel, kind: 'notice', to, ...text }, nowMs));
      for (const notice of notices) work.insert(MESSAGES, notice);
      work.afterCommit(() => {
        for (const notice of notices)
          void sendThrough(before, actor, notice, text).catch((cause: unknown) =>
            deps.report('A notice about a changed message channel could not be sent', { messageId: notice.id, cause }),
          );
      });
    },
  };
}
