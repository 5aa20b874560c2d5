import type { SxProps, Theme } from '@mui/material/styles';
import Tab from '@mui/material/Tab';
import Tabs from '@mui/material/Tabs';
import { Link } from 'react-router';

interface TabOption<Id extends string> {
  readonly id: Id;
  readonly name: string;
  /** Address of a tab that is a screen. */
  readonly to?: string;
  readonly keys?: string | undefined;
}

interface TabRowProps<Id extends string> {
  /** Accessible name. */
  readonly label: string;
  readonly tabs: readonly TabOption<Id>[];
  readonly value: Id;
  /** Called with a chosen tab that is no screen. */
  readonly onChange?: (id: Id) => void;
  /** True below a row of tabs, and for kinds of entries. */
  readonly areChips?: boolean;
  readonly sx?: SxProps<Theme>;
}

/** Tabs of a screen, which wrap in a narrow window. Arrow keys move between them. */
export function TabRow<Id extends string>({ label, tabs, value, onChange, areChips = false, sx = {} }: TabRowProps<Id>) {
  return (
    <Tabs
      value={value}
      onChange={(_, id: Id) => onChange?.(id)}
      aria-label={label}
      sx={[{ flexShrink: 0 }, areChips && CHIPS, ...(Array.isArray(sx) ? sx : [sx])]}
    >
      {tabs.map(({ id, name, to, keys }) => (
        <Tab key={id} value={id} label={name} aria-keyshortcuts={keys} {...(to !== undefined && { component: Link, to })} />
      ))}
    </Tabs>
  );
}

const CHIPS: SxProps<Theme> = {
  minHeight: 32,
  '& .MuiTabs-list': { gap: 2 },
  '& .MuiTab-root': {
    minHeight: 32,
    minWidth: 0,
    px: 3,
    py: 0,
    fontSize: 13,
    border: 1,
    borderColor: 'outline',
    borderRadius: 4,
    boxShadow: 'none',
    '&.Mui-selected': { borderColor: 'primary.main', backgroundColor: 'tone.primary.tint' },
  },
};
