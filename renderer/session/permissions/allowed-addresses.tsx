import { t } from '#renderer/base/language';
import { ValueListField } from '#renderer/kit/pickers';

interface AllowedAddressesFieldProps {
  readonly value: readonly string[];
  readonly onValue: (value: string[]) => void;
  /** Message about an invalid address. */
  readonly fault?: string | undefined;
}

/** Field for the addresses and networks from which a key or the users of a role may work. */
export function AllowedAddressesField(props: AllowedAddressesFieldProps) {
  return (
    <ValueListField
      id="allowed-addresses"
      label={t('Allowed addresses')}
      placeholder="203.0.113.0/24"
      help={t('Requests from other addresses are refused. Enter addresses or networks; empty allows all.')}
      separator={/[\s,]+/}
      {...props}
    />
  );
}
