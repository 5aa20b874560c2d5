import Box from '@mui/material/Box';
import ListItemText from '@mui/material/ListItemText';
import MenuItem, { type MenuItemProps } from '@mui/material/MenuItem';
import { KeyHint } from '#renderer/kit/ui';
import type { RecordAction } from './record-action.ts';

interface ActionItemProps extends Pick<MenuItemProps, 'autoFocus' | 'tabIndex'> {
  readonly action: RecordAction;
  readonly onChoose: () => void;
}

/** Item of a menu for an action; one that is not possible is there with its reason. */
export function ActionItem({ action, onChoose, ...item }: ActionItemProps) {
  return (
    <MenuItem
      {...item}
      disabled={action.reason !== undefined || action.isBusy === true}
      aria-keyshortcuts={action.keys}
      onClick={onChoose}
      sx={{ '&.Mui-disabled': { opacity: 1, color: 'text.disabled' }, ...(action.isDangerous && { color: 'error.main' }) }}
    >
      <ListItemText
        primary={action.label}
        secondary={action.reason ?? action.hint}
        slotProps={{ secondary: { sx: { fontSize: 12, maxWidth: 320, whiteSpace: 'normal' } } }}
      />
      {action.keys && (
        <Box sx={{ marginInlineStart: 4 }}>
          <KeyHint keys={action.keys} />
        </Box>
      )}
    </MenuItem>
  );
}
