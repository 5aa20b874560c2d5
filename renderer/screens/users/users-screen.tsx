import Button from '@mui/material/Button';
import Tab from '@mui/material/Tab';
import Tabs from '@mui/material/Tabs';
import { useState } from 'react';
import { Link, useParams } from 'react-router';
import { t } from '#renderer/base/language';
import { KeyHint, Screen } from '#renderer/kit/ui';
import { useMay, useMerchant } from '#renderer/session/user';
import { RolesTab } from './roles-tab.tsx';
import { UsersTab } from './users-tab.tsx';

/** Users, and the permissions of each role. */
export function UsersScreen() {
  const { tab } = useParams();
  const merchant = useMerchant();
  const may = useMay();
  const canSeeRoles = may('roles:read');
  const isRoles = tab === 'roles' && canSeeRoles;
  const [isNewOpen, setNewOpen] = useState(false);
  const actions = !isRoles && may('users:write') && (
    <Button variant="contained" color="primary" onClick={() => setNewOpen(true)} endIcon={<KeyHint keys="N" />} aria-keyshortcuts="N">
      {t('New user')}
    </Button>
  );
  return (
    <Screen
      title={t('Users and roles')}
      fillsHeight
      actions={actions}
      subtitle={t('People with access to {{merchant}}. Changes apply immediately.', { merchant: merchant.name })}
    >
      <Tabs value={isRoles ? 'roles' : 'users'} aria-label={t('Users and roles')} sx={{ mb: 4 }}>
        <Tab value="users" label={t('Users')} component={Link} to="/users" />
        {canSeeRoles && <Tab value="roles" label={t('Roles')} component={Link} to="/users/roles" />}
      </Tabs>
      {isRoles ? (
        <RolesTab />
      ) : (
        <UsersTab key={merchant.merchantId} merchantId={merchant.merchantId} isNewOpen={isNewOpen} onNewOpen={setNewOpen} />
      )}
    </Screen>
  );
}
