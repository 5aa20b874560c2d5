import { expect, test } from 'vitest';
import { allRoutes } from '../../../server/routes/index.ts';

const absent = () => {
  throw new Error('no server is running');
};
const routes = allRoutes({ dataDir: '', isSetUp: absent, restore: absent, examineDatabase: absent, join: absent, setUp: absent }, absent);
const idsWith = (field: string) => new Set(routes.filter(({ body }) => body && field in body.properties).map(({ id }) => id));

test('names the password of a confirmation `currentPassword` in every operation', () => {
  expect(idsWith('currentPassword')).toEqual(new Set(routes.filter(({ confirms }) => confirms).map(({ id }) => id)));
  // Sign-ins, new passwords, and the password of a mail server.
  expect([...idsWith('password')].sort()).toEqual([
    'admin.createUser',
    'admin.login',
    'admin.resetPassword',
    'admin.setEmailChannel',
    'admin.token',
    'public.accessToken',
    'setup.setUp',
  ]);
});
