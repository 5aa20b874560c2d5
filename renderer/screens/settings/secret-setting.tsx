import { useId } from 'react';
import { t } from '#renderer/base/language';
import { PasswordField } from '#renderer/kit/ui';

interface SecretSettingProps {
  readonly label: string;
  /** True if a value is saved; it is never shown. */
  readonly isKept: boolean;
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly fault?: string;
  readonly isReadOnly: boolean;
}

/** A write-only secret. An empty field keeps the saved value. */
export function SecretSetting({ label, isKept, value, onValue, fault, isReadOnly }: SecretSettingProps) {
  const id = useId();
  return (
    <PasswordField
      id={id}
      label={label}
      purpose="new-password"
      value={value}
      onValue={onValue}
      error={fault !== undefined}
      helperText={fault ?? (isKept ? t('Saved. Enter a new one to replace it.') : t('Stored encrypted and never shown again'))}
      disabled={isReadOnly}
    />
  );
}
