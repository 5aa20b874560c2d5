import Box from '@mui/material/Box';
import ToggleButton from '@mui/material/ToggleButton';
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup';
import { channelName } from '#renderer/base/channels';
import { t } from '#renderer/base/language';
import { DESK_CHANNELS } from '#shared/channels';
import type { SaleMode, SellChannel } from './form.ts';

interface ChannelBarProps {
  readonly mode: SaleMode;
  readonly channel: SellChannel;
  readonly frozen: boolean;
  readonly onChannel: (channel: SellChannel) => void;
}

/** Choice of the channel of the sale. A saved card can also be charged without the customer. */
export function ChannelBar({ mode, channel, frozen, onChannel }: ChannelBarProps) {
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: 3, rowGap: 1 }}>
      <Box component="span" id="sale-channel" sx={{ fontSize: 12, color: 'text.secondary' }}>
        {t('Channel')}
      </Box>
      <ToggleButtonGroup
        exclusive
        size="small"
        aria-labelledby="sale-channel"
        value={channel}
        disabled={frozen}
        onChange={(_, next: SellChannel | null) => next && onChannel(next)}
      >
        {DESK_CHANNELS.map((option) => (
          <ToggleButton key={option} value={option}>
            {channelName(option)}
          </ToggleButton>
        ))}
        {mode === 'saved' && <ToggleButton value="unscheduled">{t('Customer not present')}</ToggleButton>}
      </ToggleButtonGroup>
    </Box>
  );
}
