import type { ChannelStates, EmailSettings, SmsSettings } from './records.ts';
import type { Channel, MessageChannelRow } from './schema.ts';

export const emailSettingsOf = (row: Pick<MessageChannelRow, 'settings'>) => JSON.parse(row.settings) as EmailSettings;
export const smsSettingsOf = (row: Pick<MessageChannelRow, 'settings'>) => JSON.parse(row.settings) as SmsSettings;

/** Returns the purpose under which the password or token of a channel is encrypted. */
export const channelPurpose = (channel: Channel) => `message-channel/${channel}`;

/** Returns the settings of a channel with the mark of its secret, never the secret itself. */
export function shownSettings(row: MessageChannelRow): NonNullable<ChannelStates[Channel]['settings']> {
  const hasSecret = row.secret !== null;
  return row.channel === 'email' ? { ...emailSettingsOf(row), hasPassword: hasSecret } : { ...smsSettingsOf(row), hasToken: hasSecret };
}
