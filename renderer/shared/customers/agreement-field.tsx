import { channelName } from '#renderer/base/channels';
import { t } from '#renderer/base/language';
import { SelectField } from '#renderer/kit/ui';

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
    <SelectField
      id={id}
      label={t('Customer agreed by')}
      value={value}
      options={AGREEMENT_CHANNELS.map((channel) => [channel, channelName(channel)] as const)}
      onChange={onChange}
    />
  );
}
