import { t } from '#renderer/base/language';
import { ValueListField } from '#renderer/kit/pickers';

interface AllowedOriginsFieldProps {
  readonly value: readonly string[];
  readonly onValue: (value: string[]) => void;
  /** Message about an invalid origin. */
  readonly fault?: string | undefined;
}

/** Field for the origins of web pages that may use a key. */
export function AllowedOriginsField(props: AllowedOriginsFieldProps) {
  return (
    <ValueListField
      id="key-origins"
      label={t('Allowed origins')}
      placeholder="https://shop.example"
      help={t(
        'Pages of these origins may call the SDK surface with the key. Everyone who opens them can read the key, so limit its permissions and spending.',
      )}
      separator={/[\s,]+/}
      {...props}
    />
  );
}
