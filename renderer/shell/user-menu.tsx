import Box from '@mui/material/Box';
import Divider from '@mui/material/Divider';
import IconButton from '@mui/material/IconButton';
import ListSubheader from '@mui/material/ListSubheader';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import { useColorScheme } from '@mui/material/styles';
import { useQuery } from '@tanstack/react-query';
import { ArrowLeftRight, Check, Keyboard, Lock, LogOut, type LucideIcon, ShieldCheck, UserRound } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { t } from '#renderer/base/language';
import { useWorkstation } from '#renderer/base/workstation';
import { EVERYWHERE, KeyHint, Lazy, useShortcuts } from '#renderer/kit/ui';
import { lock, peopleQuery, signOut, useMe } from '#renderer/session/user';
import { SwitchDialog } from '#renderer/shared/approvals';

const fetchAccountDialog = async () => (await import('#renderer/screens/account')).AccountDialog;

const SCHEMES = [
  { value: 'system', name: t('Match system') },
  { value: 'light', name: t('Light') },
  { value: 'dark', name: t('Dark') },
] as const;

/** User menu: account, color scheme, lock and sign-out. */
export function UserMenu({ onKeyList }: { onKeyList: () => void }) {
  const { user } = useMe();
  const { mode, setMode } = useColorScheme();
  const density = useWorkstation((settings) => settings.density);
  const letterKeys = useWorkstation((settings) => settings.letterKeys);
  const change = useWorkstation((settings) => settings.change);
  const [isAccountOpen, setAccountOpen] = useState(false);
  const [isSwitchOpen, setSwitchOpen] = useState(false);
  // The lock screen offers these people, after requests are no longer possible.
  useQuery(peopleQuery);
  useShortcuts(EVERYWHERE, [{ keys: 'Mod+Shift+S', label: t('Switch person'), run: () => setSwitchOpen(true) }]);
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const closeThen = (act: () => void) => () => {
    setAnchor(null);
    act();
  };
  return (
    <>
      <IconButton
        aria-label={t('Signed in as {{email}}', { email: user.email })}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        <UserRound size={18} aria-hidden />
      </IconButton>
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
