import type { Work } from '#core/database';
import { type Actor, isoTime, newId, type TenantTime, tenantTime } from '#core/kernel';
import { dueAt } from '#core/platform/scheduling';
import { emailSettingsOf, smsSettingsOf } from './channel.ts';
import type { Dependencies, Owner } from './dependencies.ts';
import type { Notify } from './message.ts';
import { type Channel, MESSAGES, type MessageChannelRow, type MessageRow } from './schema.ts';
import type { Sender } from './sender.ts';
import { type ChannelChange, channelChangedText, type EmailText } from './texts.ts';

/** Time after a change of a channel in which it sends no password link, so that owners can notice a hostile change. */
const PASSWORD_HOLD_MS = 24 * 3_600_000;

/** Shown with a password link that waits for the end of the hold. */
export const HELD_WORDS =
  'This channel was changed less than 24 hours ago. Password links are not sent through it until then; hand the link over in person.';

/** Returns the time until which a channel must not send the message, or null where it may send it at any time. */
export function heldUntil({ kind }: Pick<MessageRow, 'kind'>, { updated_at }: Pick<MessageChannelRow, 'updated_at'>): TenantTime | null {
  return kind === 'password' ? tenantTime(Date.parse(updated_at) + PASSWORD_HOLD_MS) : null;
}

/** The server of a channel, as its settings name it. */
function serverOf(row: MessageChannelRow): string {
  return row.channel === 'email' ? emailSettingsOf(row).host : new URL(smsSettingsOf(row).apiUrl).host;
}

/** Notifies the owners of a tenant that a message channel was changed. */
export interface ChangeNotices {
  /**
   * Writes the notices in the unit of work of the change. They go through the previous settings of the channel, once, after the commit; e-mails that
   * the previous server does not take, and all notices of a text message channel, go through the present e-mail channel. Call it with the channel's
   * row locked.
   * @param now The channel after the change; null where it was removed.
   */
  write(work: Work, actor: Actor, before: MessageChannelRow | null, now: MessageChannelRow | null, nowMs: TenantTime): Promise<void>;
}

export function createChangeNotices(deps: Dependencies, notify: Notify, sender: Sender): ChangeNotices {
  const recipientOf = (channel: Channel, { email, phone }: Owner) => (channel === 'email' ? email : phone);

  /** The row of a notice by the previous settings: failed until the server is known to have taken it. */
  function noticeRow(actor: Actor, channel: Channel, recipient: string, { subject, body }: EmailText, nowMs: TenantTime): MessageRow {
    return {
      tenant_id: actor.tenantId,
      id: newId('msg', nowMs),
      merchant_id: '',
      channel,
      kind: 'notice',
      resource_id: null,
      recipient,
      subject: channel === 'email' ? subject : null,
      body,
      sealed: null,
      html: null,
      attachment: null,
      status: 'failed',
      attempts: 1,
      last_error: 'The answer of the server was not seen.',
      sent_at: null,
      provider_id: null,
      expires_ms: null,
      ...dueAt(null),
      created_at: isoTime(nowMs),
    };
  }

  const queue = (work: Work, actor: Actor, to: string, letter: EmailText, atMs: TenantTime) =>
    notify(work, { tenantId: actor.tenantId, merchantId: null, channel: 'email', to, ...letter, atMs });

  /** Sends a notice once. One that the previous server does not take is given up, and an e-mail is queued for the present channel. */
  async function sendBy(previous: MessageChannelRow, actor: Actor, message: MessageRow, letter: EmailText): Promise<void> {
    const outcome = await sender.send(previous, message);
    const atMs = deps.clockOf(actor.tenantId).now();
    await deps.database.unitOfWork.run(actor.tenantId, async (work) => {
      if (outcome.kind === 'sent') {
        const { providerId: provider_id } = outcome;
        await work.update(MESSAGES, { id: message.id }, { status: 'sent', sent_at: isoTime(atMs), provider_id, last_error: null });
      } else {
        await work.update(MESSAGES, { id: message.id }, { status: 'expired', last_error: outcome.words });
        if (message.channel === 'email') await queue(work, actor, message.recipient, letter, atMs);
      }
      work.afterCommit(() => deps.changed(actor.tenantId, 'messages'));
    });
  }

  return {
    async write(work, actor, before, now, nowMs) {
      const channel = (now ?? before)?.channel;
      if (channel === undefined) return;
      const change: ChannelChange = { channel, by: actor.name, from: before && serverOf(before), to: now && serverOf(now) };
      const letter = channelChangedText(change);
      const owners = await deps.ownersOf(actor.tenantId);
      if (before === null || channel === 'sms') for (const { email } of owners) await queue(work, actor, email, letter, nowMs);
      if (before === null) return;
      const recipients = owners.map((owner) => recipientOf(channel, owner)).filter((to) => to !== null);
      const notices = recipients.map((to) => noticeRow(actor, channel, to, letter, nowMs));
      for (const notice of notices) work.insert(MESSAGES, notice);
      work.afterCommit(() => {
        for (const notice of notices)
          void sendBy(before, actor, notice, letter).catch((cause: unknown) =>
            deps.report('A notice of a changed message channel could not be sent', { messageId: notice.id, cause }),
          );
      });
    },
  };
}
