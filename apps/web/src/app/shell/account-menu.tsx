import { Menu, Text, UnstyledButton } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useSignOut, useSwitchAccount } from '../../features/session/session.api.ts'
import { t } from '../../lib/i18n/t.ts'
import { roleWords } from '../../lib/roles.ts'
import { useSession } from '../../lib/session.ts'
import { toastFailed } from '../../ui/dialogs/toast.tsx'
import { Icon } from '../../ui/icon.tsx'
import { useInstall } from '../installed/install-offer.ts'
import { useNextColorScheme } from './color-scheme-toggle.tsx'
import './account-menu.css'

/** Who is signed in: other accounts, appearance, the reference, and the way out. */
export function AccountMenu() {
  const { user, account, accounts, role, version } = useSession()
  const navigate = useNavigate()
  const signOut = useSignOut()
  const switchAccount = useSwitchAccount()
  const scheme = useNextColorScheme()
  const install = useInstall()
  const others = accounts.filter(({ id }) => id !== account.id)

  return (
    <Menu position="bottom-end" width={260} shadow="md">
      <Menu.Target>
        <UnstyledButton
          className="account-button touch-target"
          aria-label={t('Account menu of {name}', { name: user.name || user.email })}
        >
          <Icon name="user" />
          <span className="account-name">{user.name || user.email}</span>
          <Icon name="down" size={14} />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          {user.email} · {roleWords[role]}
        </Menu.Label>
        <Menu.Item
          leftSection={<Icon name="user" size={16} />}
          onClick={() => void navigate({ to: '/settings/profile' })}
        >
          {t('Profile and password')}
        </Menu.Item>
        <Menu.Item leftSection={<Icon name={scheme.icon} size={16} />} onClick={scheme.change} closeMenuOnClick={false}>
          {t('Appearance: {label}', { label: scheme.label })}
        </Menu.Item>
        {install && (
          <Menu.Item leftSection={<Icon name="download" size={16} />} onClick={install}>
            {t('Install on this device')}
          </Menu.Item>
        )}
        <Menu.Item leftSection={<Icon name="book" size={16} />} component="a" href="/docs">
          {t('Documentation')}
        </Menu.Item>
        {others.length > 0 && (
          <>
            <Menu.Divider />
            <Menu.Label>{t('Other accounts')}</Menu.Label>
            {others.map(({ id, name }) => (
              <Menu.Item
                key={id}
                leftSection={<Icon name="account" size={16} />}
                onClick={() =>
                  switchAccount.mutate(id, {
                    onError: (error) => toastFailed(t('{name} could not be opened', { name }), error),
                  })
                }
              >
                {name}
              </Menu.Item>
            ))}
          </>
        )}
        <Menu.Divider />
        <Menu.Item
          leftSection={<Icon name="leave" size={16} />}
          onClick={() =>
            signOut.mutate(undefined, {
              onError: (error) => toastFailed(t('You could not be signed out'), error),
            })
          }
        >
          {t('Sign out')}
        </Menu.Item>
        <Text size="xs" c="dimmed" px="sm" py={4}>
          {t('Printyard {version}', { version })}
        </Text>
      </Menu.Dropdown>
    </Menu>
  )
}
