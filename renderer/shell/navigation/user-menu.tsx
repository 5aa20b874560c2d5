import Box from '@mui/material/Box';
import ButtonBase from '@mui/material/ButtonBase';
import Divider from '@mui/material/Divider';
import ListSubheader from '@mui/material/ListSubheader';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import { useColorScheme } from '@mui/material/styles';
import { useQuery } from '@tanstack/react-query';
import { ArrowLeftRight, Check, CircleHelp, Keyboard, Lock, LogOut, type LucideIcon, ShieldCheck } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useLocation } from 'react-router';
import { t } from '#renderer/base/language';
import { useWorkstation } from '#renderer/base/workstation';
import { EVERYWHERE, KeyHint, Lazy, useShortcuts, VISUALLY_HIDDEN } from '#renderer/kit/ui';
import { roleName } from '#renderer/session/permissions';
import { lock, peopleQuery, signOut, useMe } from '#renderer/session/user';
import { SwitchDialog } from '#renderer/shared/approvals';
import { guideAddressOf } from './pages.ts';

const fetchAccountDialog = async () => (await import('#renderer/screens/account')).AccountDialog;

const SCHEMES = [
  { value: 'system', name: t('Match system') },
  { value: 'light', name: t('Light') },
  { value: 'dark', name: t('Dark') },
] as const;

interface UserMenuProps {
  readonly onKeyList: () => void;
  readonly isNarrow: boolean;
}

/** The person at the foot of the navigation, with a menu: account, color scheme, lock and sign-out. */
export function UserMenu({ onKeyList, isNarrow }: UserMenuProps) {
  const { user } = useMe();
  const { pathname } = useLocation();
  const { mode, setMode } = useColorScheme();
  const density = useWorkstation((settings) => settings.density);
  const letterKeys = useWorkstation((settings) => settings.letterKeys);
  const change = useWorkstation((settings) => settings.change);
  const [isAccountOpen, setAccountOpen] = useState(false);
  const [isSwitchOpen, setSwitchOpen] = useState(false);
  // The lock screen offers these people, after requests are no longer possible.
  useQuery(peopleQuery);
  useShortcuts(EVERYWHERE, [
    { keys: 'Mod+Shift+S', label: t('Switch person'), run: () => setSwitchOpen(true) },
    {
      keys: '',
      label: t('Your account'),
      words: 'language password two-factor idioma contraseña',
      run: () => setAccountOpen(true),
    },
    ...SCHEMES.map(({ value, name }) => ({
      keys: '',
      label: t('{{page}}: {{name}}', { page: t('Appearance'), name }),
      words: 'theme color scheme mode tema color modo',
      run: () => setMode(value),
    })),
  ]);
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const closeThen = (act: () => void) => () => {
    setAnchor(null);
    act();
  };
  return (
    <>
      <ButtonBase
        title={user.name ?? user.email}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
        sx={(theme) => ({
          flex: 1,
          minWidth: 0,
          height: 44,
          gap: 2,
          px: 1.5,
          justifyContent: isNarrow ? 'center' : 'flex-start',
          borderRadius: 1,
          font: 'inherit',
          '&:hover': { backgroundColor: theme.vars.palette.wash },
          '&:focus-visible': { outline: `2px solid ${theme.vars.palette.primary.main}`, outlineOffset: -2 },
        })}
      >
        <Box
          aria-hidden
          sx={(theme) => ({
            width: 28,
            height: 28,
            flexShrink: 0,
            display: 'grid',
            placeItems: 'center',
            borderRadius: '50%',
            fontSize: 12,
            fontWeight: 600,
            backgroundColor: theme.vars.palette.wash,
          })}
        >
          {initialsOf(user.name ?? user.email)}
        </Box>
        <Box component="span" sx={VISUALLY_HIDDEN}>
          {t('Signed in as {{email}}', { email: user.email })}
        </Box>
        <Box sx={isNarrow ? VISUALLY_HIDDEN : { minWidth: 0, textAlign: 'start', lineHeight: '16px' }}>
          <Box sx={{ fontSize: 13, fontWeight: 500, ...ONE_LINE }}>{user.name ?? user.email}</Box>
          <Box sx={{ fontSize: 12, color: 'text.secondary', ...ONE_LINE }}>{roleName(user.role)}</Box>
        </Box>
      </ButtonBase>
      <Menu
        anchorEl={anchor}
        open={anchor !== null}
        onClose={() => setAnchor(null)}
        slotProps={{ list: { 'aria-label': t('User and workstation'), sx: { minWidth: 248 } } }}
      >
        {user.name && <Heading>{user.name}</Heading>}
        <Heading>{user.email}</Heading>
        <Divider sx={{ my: 1 }} />
        <Heading>{t('Appearance')}</Heading>
        {SCHEMES.map(({ value, name }) => (
          <Choice key={value} role="menuitemradio" isChecked={mode === value} onClick={() => setMode(value)}>
            {name}
          </Choice>
        ))}
        <Divider sx={{ my: 1 }} />
        <Heading>{t('This workstation')}</Heading>
        <Choice
          role="menuitemcheckbox"
          isChecked={density === 'compact'}
          onClick={() => change({ density: density === 'compact' ? 'roomy' : 'compact' })}
        >
          {t('Compact rows')}
        </Choice>
        <Choice role="menuitemcheckbox" isChecked={letterKeys} onClick={() => change({ letterKeys: !letterKeys })}>
          {t('Single-key shortcuts')}
        </Choice>
        <Divider sx={{ my: 1 }} />
        <MenuAction icon={ShieldCheck} onClick={closeThen(() => setAccountOpen(true))}>
          {t('Your account')}
        </MenuAction>
        <MenuAction icon={CircleHelp} onClick={closeThen(() => void open(guideAddressOf(pathname), '_blank', 'noopener'))}>
          {t('Help for this page')}
        </MenuAction>
        <MenuAction icon={Keyboard} keys="?" onClick={closeThen(onKeyList)}>
          {t('Keyboard shortcuts')}
        </MenuAction>
        <MenuAction icon={ArrowLeftRight} keys="Mod+Shift+S" onClick={closeThen(() => setSwitchOpen(true))}>
          {t('Switch person')}
        </MenuAction>
        <MenuAction icon={Lock} keys="Mod+L" onClick={closeThen(() => lock('asked'))}>
          {t('Lock')}
        </MenuAction>
        <MenuAction icon={LogOut} onClick={closeThen(signOut)}>
          {t('Sign out')}
        </MenuAction>
      </Menu>
      {isSwitchOpen && <SwitchDialog onClose={() => setSwitchOpen(false)} />}
      {isAccountOpen && <Lazy load={fetchAccountDialog} props={{ onClose: () => setAccountOpen(false) }} />}
    </>
  );
}

const ONE_LINE = { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' } as const;

const initialsOf = (name: string) =>
  name
    .split(/[\s@.]+/)
    .slice(0, 2)
    .map(([first = '']) => first.toUpperCase())
    .join('');

function Heading({ children }: { children: ReactNode }) {
  return (
    <ListSubheader role="presentation" sx={{ fontSize: 12, lineHeight: '28px', fontWeight: 600, background: 'none' }}>
      {children}
    </ListSubheader>
  );
}

interface ChoiceProps {
  readonly role: 'menuitemradio' | 'menuitemcheckbox';
  readonly isChecked: boolean;
  readonly onClick: () => void;
  readonly children: ReactNode;
}

function Choice({ role, isChecked, onClick, children, ...rest }: ChoiceProps) {
  return (
    <MenuItem {...rest} role={role} aria-checked={isChecked} onClick={onClick}>
      <Box sx={{ width: 20, display: 'inline-flex' }}>{isChecked && <Check size={16} aria-hidden />}</Box>
      {children}
    </MenuItem>
  );
}

interface ActProps {
  readonly icon: LucideIcon;
  readonly keys?: string;
  readonly onClick: () => void;
  readonly children: ReactNode;
}

function MenuAction({ icon: Icon, keys, onClick, children, ...rest }: ActProps) {
  return (
    <MenuItem {...rest} onClick={onClick}>
      <Box sx={{ width: 20, display: 'inline-flex' }}>
        <Icon size={16} aria-hidden />
      </Box>
      <Box sx={{ flex: 1 }}>{children}</Box>
      {keys && <KeyHint keys={keys} />}
    </MenuItem>
  );
}
