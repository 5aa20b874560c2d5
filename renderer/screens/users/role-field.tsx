import ListItemText from '@mui/material/ListItemText';
import MenuItem from '@mui/material/MenuItem';
import TextField from '@mui/material/TextField';
import { t } from '#renderer/base/language';
import { roleName, roleSummary } from '#renderer/session/permissions';

interface RoleFieldProps {
  readonly id: string;
  readonly roles: readonly { readonly id: string; readonly name: string }[];
  readonly value: string;
  readonly onChange: (id: string) => void;
  readonly fault?: string | undefined;
}

/** Choice of a role, each with a line about what it may do. */
export function RoleField({ id, roles, value, onChange, fault }: RoleFieldProps) {
  const chosen = roles.find((role) => role.id === value)?.name ?? value;
  return (
    <TextField
      id={id}
      select
      label={t('Role')}
      value={value}
      onChange={({ target }) => onChange(target.value)}
      error={fault !== undefined}
      helperText={fault ?? roleSummary(chosen)}
      slotProps={{ select: { renderValue: () => roleName(chosen) } }}
    >
      {roles.map((role) => (
        <MenuItem key={role.id} value={role.id}>
          <ListItemText primary={roleName(role.name)} secondary={roleSummary(role.name)} sx={{ my: 0 }} />
        </MenuItem>
      ))}
    </TextField>
  );
}
