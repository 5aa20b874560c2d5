import { useId } from 'react';
import { PasswordField } from '#renderer/ui';

interface SecretSettingProps {
  readonly label: string;
  /** There is one, which is never shown. */
  readonly isKept: boolean;
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly fault?: string;
  readonly isReadOnly: boolean;
}

/** A password that can be given and never read back. Left empty, the one that is kept stays. */
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
      helperText={fault ?? (isKept ? 'One is kept. Type another to replace it.' : 'Kept sealed, and never shown again')}
      disabled={isReadOnly}
    />
  );
}
