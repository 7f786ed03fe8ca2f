import { ActionIcon, Drawer, Group, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Outlet, useNavigate } from '@tanstack/react-router'
import { t } from '../../lib/i18n/t.ts'
import { may } from '../../lib/permissions.ts'
import { useSession } from '../../lib/session.ts'
import { Icon } from '../../ui/icon.tsx'
import { Shortcuts } from '../../ui/page/shortcuts.tsx'
import { navigation } from '../navigation.ts'
import { AccountMenu } from './account-menu.tsx'
import { AreaLinks, PhoneLinks } from './area-links.tsx'
import { ConnectionBanner } from './connection-banner.tsx'
import { FindButton } from './find-button.tsx'
import './shell.css'

/** Navigation around a page: at the left on wide screens, at the bottom edge and in a drawer on phones. */
export function Shell() {
  const session = useSession()
  const navigate = useNavigate()
  const [isOpen, { open, close }] = useDisclosure(false)
  const areas = navigation.filter(({ least }) => may(session, least))
  const shortcuts = areas.slice(0, 9).map(({ label, path }, index) => ({
    keys: `alt+${index + 1}`,
    label: t('Go to {label}', { label }),
    run: () => void navigate({ to: path }),
  }))

  return (
    <div className="shell">
      <a className="skip-link" href="#main">
        {t('Skip to content')}
      </a>
      <header className="shell-head">
        <Group gap="xs" wrap="nowrap">
          <img src="/favicon.svg" alt="" width={26} height={26} />
          <Text fw={650} truncate>
            {session.account.name}
          </Text>
        </Group>
        <FindButton />
        <AccountMenu />
      </header>
      <nav className="shell-side" aria-label={t('Areas')}>
        <AreaLinks areas={areas} />
      </nav>
      <div className="shell-page">
        <ConnectionBanner />
        <main id="main" tabIndex={-1}>
          <Outlet />
        </main>
      </div>
      <nav className="shell-bottom" aria-label={t('Main areas')}>
        <PhoneLinks areas={areas.filter(({ isOnPhone }) => isOnPhone)} />
        <ActionIcon onClick={open} className="phone-link" aria-label={t('More areas')} variant="transparent">
          <Icon name="menu" />
          <span>{t('More')}</span>
        </ActionIcon>
      </nav>
      <Drawer opened={isOpen} onClose={close} title={t('Areas')} size="18rem">
        <nav aria-label={t('All areas')}>
          <AreaLinks areas={areas} onFollow={close} />
        </nav>
      </Drawer>
      <Shortcuts shortcuts={shortcuts} others={[{ keys: 'mod+k', label: t('Find anything') }]} />
    </div>
  )
}
