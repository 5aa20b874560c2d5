import MenuItem from '@mui/material/MenuItem';
import TextField from '@mui/material/TextField';
import { channelName } from '#renderer/base/channels';
import { t } from '#renderer/base/language';

const AGREEMENT_CHANNELS = ['phone', 'mail', 'counter', 'internet'] as const;
/** Channel by which a customer agreed to later charges. */
export type AgreementChannel = (typeof AGREEMENT_CHANNELS)[number];

interface AgreementFieldProps {
  readonly id: string;
  readonly value: AgreementChannel;
  readonly onChange: (value: AgreementChannel) => void;
}

/** Field for the way in which a customer agreed to later charges. */
export function AgreementField({ id, value, onChange }: AgreementFieldProps) {
  return (
    <TextField
      id={id}
      select
      label={t('Customer agreed by')}
      value={value}
      onChange={({ target }) => onChange(target.value as AgreementChannel)}
    >
      {AGREEMENT_CHANNELS.map((channel) => (
        <MenuItem key={channel} value={channel}>
          {channelName(channel)}
        </MenuItem>
      ))}
    </TextField>
  );
}
