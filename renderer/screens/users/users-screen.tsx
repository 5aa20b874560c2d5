import { useState } from 'react';
import { useParams } from 'react-router';
import { t } from '#renderer/base/language';
import { TabRow } from '#renderer/kit/choices';
import { PageActions } from '#renderer/kit/record';
import { Screen } from '#renderer/kit/ui';
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
  return (
    <Screen
      title={t('Users and roles')}
      fillsHeight
      actions={
        !isRoles &&
        may('users:write') && (
          <PageActions group={t('Users')} actions={[{ keys: 'N', label: t('New user'), run: () => setNewOpen(true) }]} />
        )
      }
      subtitle={t('People with access to {{merchant}}. Changes apply immediately.', { merchant: merchant.name })}
    >
      <TabRow
        label={t('Users and roles')}
        tabs={[
          { id: 'users', name: t('Users'), to: '/users' },
          ...(canSeeRoles ? [{ id: 'roles', name: t('Roles'), to: '/users/roles' }] : []),
        ]}
        value={isRoles ? 'roles' : 'users'}
      />
      {isRoles ? (
        <RolesTab />
      ) : (
        <UsersTab key={merchant.merchantId} merchantId={merchant.merchantId} isNewOpen={isNewOpen} onNewOpen={setNewOpen} />
      )}
    </Screen>
  );
}
